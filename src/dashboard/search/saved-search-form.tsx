/// <reference lib="dom" />
import { type FormEvent, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { SavedSearch, SavedSearchPatch } from "../../contract/search/saved-search.ts";
import { call } from "../base/api.ts";
import { usePersonName } from "../base/people.ts";
import { useSignedIn } from "../base/session.ts";
import { ConflictDiff } from "../ui/conflict/conflict-diff.tsx";
import { useRevisioned } from "../ui/conflict/use-revisioned.ts";
import { FormEnd } from "../ui/form-end.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Time } from "../ui/time/time.tsx";
import { savedSearches } from "./saved-query.ts";

interface SavedFormProps {
  saved: SavedSearch;
  close: () => void;
}

/** Saves changes of a saved search, based on the version with which the form was opened. */
function useSavedSearch({ saved, close }: SavedFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const params = { saved_search_id: saved.saved_search_id };
  const refresh = () => client.invalidateQueries(savedSearches(tenant));
  return useRevisioned({
    current: saved,
    read: async () => {
      void refresh();
      return await call("getSavedSearch", { params });
    },
    send: (body: SavedSearchPatch, options) =>
      call("patchSavedSearch", { params, body, csrf: session.csrf_token, ...options }),
    // Reads the list again before the form closes, so that it never shows the former state.
    saved: () => void refresh().finally(close),
  });
}

const textOf = ({ kind, text }: Pick<SavedSearch, "kind" | "text">) => text === "" ? `all ${kind}` : text;

/** Who changed it last and when. */
function ChangedBy({ stored: { updated_by, updated_at } }: { stored: SavedSearch }) {
  const nameOf = usePersonName();
  return (
    <>
      Changed by <Foreign text={nameOf(updated_by)} />, <Time at={updated_at} />.
    </>
  );
}

/** Changes the name and the filter of a saved search. */
export function SavedSearchForm({ saved, close }: SavedFormProps) {
  const form = useSavedSearch({ saved, close });
  const { base, theirs } = form;
  const [mine, setMine] = useState({ name: saved.name, text: saved.text });
  const save = () => {
    const [name, text] = [mine.name.trim(), mine.text.trim()];
    // Only what was changed here, so that it goes on top of what others changed.
    const patch: SavedSearchPatch = {
      ...name === base.name ? {} : { name },
      ...text === base.text ? {} : { text },
    };
    if (Object.keys(patch).length === 0) close();
    else form.save(patch);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  const fault = form.error && `Not changed: ${form.error.message}`;
  return (
    <form className="form" onSubmit={submit}>
      <label className="field">
        <span>Name</span>
        <input
          name="name"
          value={mine.name}
          maxLength={100}
          required
          autoFocus
          autoComplete="off"
          onChange={(event) => setMine({ ...mine, name: event.target.value })}
        />
      </label>
      <label className="field">
        <span>Filter; empty for all {saved.kind}</span>
        <input
          name="text"
          className="mono"
          value={mine.text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setMine({ ...mine, text: event.target.value })}
        />
      </label>
      {theirs === null
        ? <FormEnd fault={fault} saving={form.saving} send="Save" cancel={close} />
        : (
          <ConflictDiff
            what="This search"
            fields={[
              { label: "Name", base: base.name, theirs: theirs.name, mine: mine.name.trim() },
              {
                label: "Filter",
                base: textOf(base),
                theirs: textOf(theirs),
                mine: textOf({ kind: base.kind, text: mine.text.trim() }),
              },
            ]}
            by={<ChangedBy stored={theirs} />}
            fault={fault}
            saving={form.saving}
            apply={save}
            discard={close}
          />
        )}
    </form>
  );
}

/** Asks before a saved search is deleted. */
export function DeleteSavedSearch({ saved, close }: SavedFormProps) {
  const form = useSavedSearch({ saved, close });
  const { base, theirs } = form;
  const remove = () => form.save({ deleted: true });
  const fault = form.error && `Not deleted: ${form.error.message}`;
  if (theirs !== null) {
    return (
      <ConflictDiff
        what="This search"
        fields={[
          { label: "Search", base: "kept", theirs: "kept", mine: "deleted" },
          { label: "Name", base: base.name, theirs: theirs.name, mine: null },
          { label: "Filter", base: textOf(base), theirs: textOf(theirs), mine: null },
        ]}
        by={<ChangedBy stored={theirs} />}
        fault={fault}
        saving={form.saving}
        apply={remove}
        discard={close}
      />
    );
  }
  return (
    <>
      <div className="saved-head" role="group" aria-label={`Delete ${saved.name}?`}>
        <span className="saved-name">
          {saved.scope === "shared" ? "Delete it for everyone?" : "Delete it?"}
        </span>
        <button
          type="button"
          className="button button-small"
          disabled={form.saving}
          autoFocus
          onClick={remove}
        >
          Delete
        </button>
        <button type="button" className="button button-small" onClick={close}>Keep</button>
      </div>
      {fault && <p className="field-error" role="alert">{fault}</p>}
    </>
  );
}
