/// <reference lib="dom" />
import { Suspense, useEffect, useState } from "react";
import { Menu, MenuItem, MenuSeparator, useMenuStore } from "@ariakit/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { tacticName, tacticsOf, techniqueName } from "../../kit/attack.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { blockableOf } from "./incident/incident-results.ts";
import { addCondition } from "../base/filter-text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Foreign } from "../ui/foreign.tsx";
import {
  conditionOf,
  flowsOf,
  labelOf,
  mapOf,
  nameOfEntity,
  pageOf,
  textOfCondition,
} from "./entity-kinds.ts";
import type { MenuRequest } from "./entity-scope.ts";
import { usePart } from "./parts.tsx";
import { visibleText } from "../ui/json-text.ts";

type MenuDialog = "suppress" | "block" | "change";

/** The common menu of all chips, shown for each request. */
export function EntityMenuView({ shown }: { shown: MenuRequest }) {
  const [dialog, setDialog] = useState<MenuDialog | null>(null);
  const menu = useMenuStore({ placement: "bottom-start" });
  useEffect(() => {
    menu.setAnchorElement(shown.anchor);
    menu.setDisclosureElement(shown.anchor);
    menu.setAutoFocusOnShow(true);
    menu.show();
  }, [menu, shown]);
  const SuppressValue = usePart("SuppressValue");
  const ChangeDetector = usePart("ChangeDetector");
  const BlockValue = usePart("BlockValue");
  const close = () => setDialog(null);
  return (
    <>
      <Menu
        store={menu}
        portal
        // Within the landmark of the chip; the menu closes when it loses the focus, so no order of Tab is kept.
        portalElement={() => shown.anchor.closest<HTMLElement>("dialog, aside, main") ?? document.body}
        preserveTabOrder={false}
        className="menu"
        gutter={4}
        unmountOnHide
        aria-label={visibleText(`${nameOfEntity(shown.entity)} ${labelOf(shown.entity)}`)}
      >
        <Items shown={shown} openDialog={setDialog} />
      </Menu>
      <Dialog title="Suppress a pattern" open={dialog === "suppress"} close={close}>
        <Suspense>
          <SuppressValue entity={shown.entity} close={close} />
        </Suspense>
      </Dialog>
      <Dialog title="Propose a change of a detector" open={dialog === "change"} close={close}>
        <Suspense>
          <ChangeDetector model={String(shown.entity.value)} close={close} />
        </Suspense>
      </Dialog>
      <Dialog title="Propose a block" open={dialog === "block"} close={close}>
        <Suspense>
          {shown.scope.incident && (
            <BlockValue incident={shown.scope.incident} address={String(shown.entity.value)} close={close} />
          )}
        </Suspense>
      </Dialog>
    </>
  );
}

interface ItemsProps {
  shown: MenuRequest;
  openDialog: (dialog: MenuDialog) => void;
}

function Items({ shown: { entity, scope }, openDialog }: ItemsProps) {
  const { roles } = useSignedIn();
  const navigate = useNavigate();
  const condition = conditionOf(entity);
  const map = mapOf(entity, scope.window);
  const page = pageOf(entity, scope.window);
  const mayWrite = roles.includes("analyst");
  const canSuppress = mayWrite && ["address", "domain", "device"].includes(entity.kind);
  const canChange = mayWrite && entity.kind === "detector";
  const canBlock = roles.includes("responder") && entity.kind === "address" && scope.incident !== undefined &&
    blockableOf(scope.incident).includes(String(entity.value));
  const filter = (excluded: boolean) => {
    if (condition === null) return;
    const added = excluded ? { not: condition } : condition;
    if (scope.filter) scope.filter.change(addCondition(scope.filter.text, added));
    else void navigate(to.explore({ filter: textOfCondition(added), scope: scope.window }));
  };
  return (
    <>
      <p className="menu-note soft">
        {nameOfEntity(entity)} <Foreign text={labelOf(entity)} className="mono" />
      </p>
      {entity.kind === "technique" && <TechniqueNote technique={String(entity.value)} />}
      {condition !== null && (
        <>
          <MenuItem className="menu-item" onClick={() => filter(false)}>Filter for it</MenuItem>
          <MenuItem className="menu-item" onClick={() => filter(true)}>Exclude it</MenuItem>
        </>
      )}
      {condition !== null && (
        <MenuItem className="menu-item" render={<Link {...flowsOf(entity, scope.window)} />}>
          Show its flows
        </MenuItem>
      )}
      {map !== null && (
        <MenuItem className="menu-item" render={<Link {...map} />}>
          Show on the map
        </MenuItem>
      )}
      {page !== null && (
        <MenuItem className="menu-item" render={<Link {...page} />}>
          Open its page
        </MenuItem>
      )}
      {entity.deviceId && (
        <MenuItem className="menu-item" render={<Link {...to.device(entity.deviceId, scope.window)} />}>
          Open the device
        </MenuItem>
      )}
      {entity.kind === "detector" && (
        <MenuItem
          className="menu-item"
          render={<Link {...to.help("detectors")} hash={String(entity.value)} />}
        >
          What it detects
        </MenuItem>
      )}
      <MenuItem
        className="menu-item"
        onClick={() => void navigator.clipboard?.writeText(String(entity.value))}
      >
        Copy
      </MenuItem>
      {entity.path !== undefined && (
        <MenuItem
          className="menu-item"
          onClick={() => void navigator.clipboard?.writeText(entity.path!)}
        >
          Copy the path
        </MenuItem>
      )}
      {(canSuppress || canBlock || canChange) && <MenuSeparator className="menu-separator" />}
      {canSuppress && (
        <MenuItem className="menu-item" onClick={() => openDialog("suppress")}>Suppress…</MenuItem>
      )}
      {canChange && (
        <MenuItem className="menu-item" onClick={() => openDialog("change")}>Propose a change…</MenuItem>
      )}
      {canBlock && <MenuItem className="menu-item" onClick={() => openDialog("block")}>Block…</MenuItem>}
    </>
  );
}

/** What MITRE ATT&CK calls a technique, and what it serves. */
function TechniqueNote({ technique }: { technique: string }) {
  const tactics = tacticsOf(technique).map(tacticName);
  if (tactics.length === 0) return null;
  return (
    <p className="menu-note soft">
      {techniqueName(technique)}: {tactics.join(", ").toLowerCase()}
    </p>
  );
}
