/// <reference lib="dom" />
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Icon } from "../icons.tsx";
import { Foreign } from "../foreign.tsx";
import { type ChangedBy, compareFields, type FieldVersions } from "./compare.ts";

const NOTES: Record<ChangedBy, string> = {
  mine: "Only you changed it",
  theirs: "Changed meanwhile",
  both: "Both changed it",
  agree: "Same change",
};

interface ConflictDiffProps {
  /** The object, subject first: `This incident`. */
  what: string;
  fields: readonly FieldVersions[];
  /** Who made the other change and when, if known. */
  by?: ReactNode;
  saving: boolean;
  /** Why applying them failed. */
  fault?: string | null;
  /** Saves the entered values on top of the stored version; null if they are no longer possible. */
  apply: (() => void) | null;
  /** Drops the entered values. */
  discard: () => void;
}

/** What changed on both sides since a form was opened. Nothing was saved; the form keeps its values. */
export function ConflictDiff({ what, fields, by, saving, fault = null, apply, discard }: ConflictDiffProps) {
  const differences = compareFields(fields);
  const heading = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section className="conflict" role="alert" aria-labelledby={heading} ref={box} tabIndex={-1}>
      <p className="conflict-head" id={heading}>
        <Icon name="warning" />
        <span>
          <span className="strong">{what} changed after you opened it. Nothing was saved.</span>
          {by && <span className="soft">{by}</span>}
        </span>
      </p>
      {differences.length > 0 && (
        <div className="conflict-box">
          <table className="conflict-table">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Before</th>
                <th scope="col">Now</th>
                <th scope="col">Yours</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ label, base, theirs, mine, changedBy }) => (
                <tr key={label} className={`conflict-${changedBy}`}>
                  <th scope="row">
                    {label}
                    <span className="muted small">{NOTES[changedBy]}</span>
                  </th>
                  <td data-label="Before">
                    <Foreign text={base} className="soft" />
                  </td>
                  <td data-label="Now">
                    {theirs === base ? <span className="muted">unchanged</span> : <Foreign text={theirs} />}
                  </td>
                  <td data-label="Yours">
                    {mine === null
                      ? <span className="muted">not edited here</span>
                      : mine === base
                      ? <span className="muted">unchanged</span>
                      : <Foreign text={mine} className="strong" />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {fault !== null && <p className="field-error">{fault}</p>}
      {apply === null && <p className="soft">Your change is not possible in the present state.</p>}
      <div className="form-buttons">
        <button type="button" className="button" onClick={discard}>Discard mine</button>
        {apply && (
          <button type="button" className="button button-primary" disabled={saving} onClick={apply}>
            {saving ? "Saving…" : "Apply mine on top"}
          </button>
        )}
      </div>
    </section>
  );
}
