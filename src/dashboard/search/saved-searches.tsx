/// <reference lib="dom" />
import { useState } from "react";
import {
  Menu,
  MenuButton,
  MenuGroup,
  MenuGroupLabel,
  MenuItem,
  MenuProvider,
  MenuSeparator,
} from "@ariakit/react";
import { useQuery } from "@tanstack/react-query";
import type { SavedSearch } from "../../contract/search/saved-search.ts";
import { useSignedIn } from "../base/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { partsOf } from "../base/filter-text.ts";
import { ManageSearches } from "./manage-searches.tsx";
import { SaveForm } from "./save-form.tsx";
import { savedSearches } from "./saved-query.ts";
import type { ListFilter } from "./use-filter.ts";

const SCOPES = [["personal", "Your searches"], ["shared", "Shared searches"]] as const;

/** Searches kept by name: own ones and those shared within the tenant. */
export function SavedSearches({ filter }: { filter: ListFilter }) {
  const { tenant, roles } = useSignedIn();
  const { data, error } = useQuery(savedSearches(tenant));
  const [dialog, setDialog] = useState<"save" | "manage" | null>(null);
  const close = () => setDialog(null);
  const mayWrite = roles.includes("analyst");
  const isValid = partsOf(filter.text) !== null;
  const found = data ?? [];
  return (
    <>
      <MenuProvider>
        <MenuButton className="button" aria-label="Saved searches">
          <Icon name="saved" />
          <span className="wide-label">Saved</span>
        </MenuButton>
        <Menu className="menu" gutter={6} unmountOnHide>
          {SCOPES.map(([scope, label]) => {
            const searches = found.filter((one) => one.scope === scope);
            return searches.length > 0 && (
              <MenuGroup key={scope}>
                <MenuGroupLabel className="suggestion-group">{label}</MenuGroupLabel>
                {searches.map((one) => <SavedItem key={one.saved_search_id} saved={one} filter={filter} />)}
              </MenuGroup>
            );
          })}
          {found.length === 0 && (
            <p className="menu-note soft">
              {error ? "The saved searches could not be loaded." : "No saved searches yet."}
            </p>
          )}
          {mayWrite && <MenuSeparator className="menu-separator" />}
          {mayWrite && (
            <MenuItem className="menu-item" disabled={!isValid} onClick={() => setDialog("save")}>
              Save this search…
            </MenuItem>
          )}
          {mayWrite && found.length > 0 && (
            <MenuItem
              className="menu-item"
              onClick={() => setDialog("manage")}
            >
              Change or delete…
            </MenuItem>
          )}
        </Menu>
      </MenuProvider>
      <Dialog title="Save this search" open={dialog === "save"} close={close}>
        <SaveForm kind={filter.kind} text={filter.text} close={close} />
      </Dialog>
      <Dialog title="Saved searches" open={dialog === "manage"} close={close}>
        <ManageSearches searches={found} />
      </Dialog>
    </>
  );
}

function SavedItem({ saved, filter }: { saved: SavedSearch; filter: ListFilter }) {
  const { name, text, kind } = saved;
  return (
    <MenuItem className="menu-item" onClick={() => filter.search(text, { kind })}>
      <Foreign text={name} className="clip" />
      {kind !== filter.kind && <span className="suggestion-detail">{kind}</span>}
    </MenuItem>
  );
}
