import { useState } from "react";
import type { SavedSearch } from "../../contract/search/saved-search.ts";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { DeleteSavedSearch, SavedSearchForm } from "./saved-search-form.tsx";

/** Changes and deletes saved searches. */
export function ManageSearches({ searches }: { searches: SavedSearch[] }) {
  if (searches.length === 0) return <p className="soft">No saved searches.</p>;
  return (
    <ul className="saved-list">
      {searches.map((one) => <SavedRow key={one.saved_search_id} saved={one} />)}
    </ul>
  );
}

function SavedRow({ saved }: { saved: SavedSearch }) {
  const [mode, setMode] = useState<"change" | "delete" | null>(null);
  const close = () => setMode(null);
  if (mode === "change") {
    return (
      <li className="saved-row">
        <SavedSearchForm saved={saved} close={close} />
      </li>
    );
  }
  return (
    <li className="saved-row">
      <div className="saved-head">
        <span className="saved-name">
          <Foreign text={saved.name} className="strong" />
          <span className="muted small">
            {saved.scope === "shared" ? "shared" : "only you"}, {saved.kind}
          </span>
        </span>
        <button
          type="button"
          className="button-icon"
          aria-label={`Change ${saved.name}`}
          title="Change"
          onClick={() => setMode("change")}
        >
          <Icon name="edit" />
        </button>
        <button
          type="button"
          className="button-icon"
          aria-label={`Delete ${saved.name}`}
          title="Delete"
          onClick={() => setMode("delete")}
        >
          <Icon name="close" />
        </button>
      </div>
      <code className="saved-text wrap muted small">
        {saved.text === "" ? `all ${saved.kind}` : saved.text}
      </code>
      {mode === "delete" && <DeleteSavedSearch saved={saved} close={close} />}
    </li>
  );
}
