import type { WorkflowEntry } from "../../contract/device/device.ts";
import { formatLabel } from "../ui/format.ts";
import { type Change, changesOf } from "./history-changes.ts";
import { Foreign } from "../ui/names.tsx";
import { Time } from "../ui/time/time.tsx";

/** Statuses are labelled as everywhere else; free text, such as a name, stays as it is. */
function wordOf({ field }: Change, value: string): string {
  return field === null && /^[a-z]+(_[a-z]+)*$/.test(value) ? formatLabel(value).toLowerCase() : value;
}

function ChangeLine({ change }: { change: Change }) {
  return (
    <p className="wrap">
      {change.field !== null && <span className="soft">{`${change.field} `}</span>}
      {change.from !== null && <Foreign text={wordOf(change, change.from)} className="soft" />}
      {change.from !== null && " → "}
      <Foreign text={wordOf(change, change.to)} />
    </p>
  );
}

/** Their value is the suppression's id, which means nothing to a reader. */
const WITHOUT_VALUE = ["suppressed", "suppression_revoked"];

/** Who changed what and why, newest first. */
export function History({ entries, empty }: { entries: WorkflowEntry[]; empty: string }) {
  if (entries.length === 0) return <p className="muted">{empty}</p>;
  const newestFirst = [...entries].sort((a, b) => b.revision - a.revision || (a.at < b.at ? 1 : -1));
  return (
    <ol className="history">
      {newestFirst.map((entry) => (
        <li key={`${entry.revision} ${entry.at} ${entry.action}`}>
          <p className="wrap">
            <Foreign text={entry.actor} className="strong" />{" "}
            <span className="soft">{formatLabel(entry.action).toLowerCase()}</span>
          </p>
          {!WITHOUT_VALUE.includes(entry.action) &&
            changesOf(entry.from, entry.to).map((change) => (
              <ChangeLine key={change.field ?? ""} change={change} />
            ))}
          {entry.comment !== null && (
            <p className="history-comment wrap">
              <Foreign text={entry.comment} />
            </p>
          )}
          <p className="muted small">
            <Time at={entry.at} /> · revision {entry.revision}
          </p>
        </li>
      ))}
    </ol>
  );
}
