/// <reference lib="dom" />
import { type KeyboardEvent, useContext, useRef } from "react";
import { Link } from "@tanstack/react-router";
import type { IntelReference } from "../../contract/intel/intel.ts";
import { useCellTabIndex } from "../ui/grid/in-grid.ts";
import { isUnstatedIp } from "../../kit/net/ip.ts";
import { type RecordOrigin, shownIp } from "../../kit/net/shown-ip.ts";
import { Icon } from "../ui/icons.tsx";
import { visibleText } from "../ui/json-text.ts";
import { Foreign } from "../ui/foreign.tsx";
import { type Entity, KINDS, labelOf, nameOfEntity, targetOf } from "./entity-kinds.ts";
import { EntityMenuContext, useScope } from "./entity-scope.ts";

interface EntityChipProps extends Entity {
  country?: string | null;
  asn?: number | null;
  /** Indicators that the value matches. */
  intel?: readonly Pick<IntelReference, "list" | "indicator" | "listed">[];
  /** In the tooltip, instead of the value. */
  detail?: string;
  className?: string;
}

interface AddressChipProps extends Omit<EntityChipProps, "kind" | "value"> {
  ip: string;
  origin: RecordOrigin;
}

/** The address at an end of a flow; one that is not stated leads nowhere, but the resolver's sensor does. */
export function AddressChip({ ip, origin, ...more }: AddressChipProps) {
  if (!isUnstatedIp(ip)) return <EntityChip {...more} kind="address" value={ip} />;
  const shown = shownIp(ip, origin);
  return shown === origin.sensor_id
    ? <EntityChip kind="sensor" value={shown} detail="the resolver, whose log does not state its address" />
    : <span className="muted">{shown}</span>;
}

/** A value: a click leads to its page or to what it touches, its menu offers the rest. */
export function EntityChip(props: EntityChipProps) {
  const { kind, value, deviceId, field, country, asn, intel = [], detail = value, className = "" } = props;
  const entity: Entity = { kind, value, label: props.label, deviceId, field };
  const scope = useScope();
  const show = useContext(EntityMenuContext);
  const tabIndex = useCellTabIndex();
  const more = useRef<HTMLButtonElement>(null);
  const { icon } = KINDS[kind];
  const name = nameOfEntity(entity);
  const label = labelOf(entity);
  const title = label === String(detail) ? label : `${label} (${detail})`;
  const place = [country, asn === null || asn === undefined ? null : `AS${asn}`].filter(Boolean).join(" ");
  const open = () => more.current && show?.(entity, scope, more.current);
  const onKeyDown = (event: KeyboardEvent) => {
    const isMenuKey = event.key === "ContextMenu" || (event.shiftKey && event.key === "F10");
    if (!isMenuKey && !(event.altKey && event.key === "ArrowDown")) return;
    event.preventDefault();
    open();
  };
  const isCode = kind === "address" || kind === "port" || kind === "fingerprint";
  return (
    <span className={`entity entity-${kind} ${className}`.trim()}>
      <Link
        {...targetOf(entity, scope.window)}
        className="entity-link"
        tabIndex={tabIndex}
        title={visibleText(`${name} ${title}`)}
        onKeyDown={onKeyDown}
      >
        {icon !== null && <Icon name={icon} />}
        <Foreign text={label} className={isCode ? "mono" : ""} />
      </Link>
      {place !== "" && <span className="entity-place">{place}</span>}
      {intel.length > 0 && (
        <span
          className={intel.some(({ listed }) => listed) ? "chip chip-bad" : "chip"}
          title={intel.map(({ indicator, list }) => visibleText(`${indicator} in ${list}`)).join("\n")}
        >
          {intel.some(({ listed }) => listed) ? "known threat" : "was listed"}
        </span>
      )}
      {show !== null && (
        <button
          ref={more}
          type="button"
          className="entity-more"
          data-entity-menu=""
          tabIndex={tabIndex}
          aria-haspopup="menu"
          aria-label={visibleText(`Actions for ${name.toLowerCase()} ${label}`)}
          onClick={(event) => {
            event.stopPropagation();
            open();
          }}
        >
          <Icon name="more" />
        </button>
      )}
    </span>
  );
}
