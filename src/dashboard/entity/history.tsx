import type { WorkflowEntry } from "../../contract/device/device.ts";
import { usePersonName } from "../base/people.ts";
import { formatLabel } from "../ui/format.ts";
import { type Change, changesOf } from "./history-changes.ts";
import { LinkedText } from "./linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Time } from "../ui/time/time.tsx";

/** Their values are subjects of people. */
const PEOPLE = ["assigned"];

/** Statuses are labelled as everywhere else; free text, such as a name, stays as it is. */
function labelOf({ field }: Change, value: string): string {
  return field === null && /^[a-z]+(_[a-z]+)*$/.test(value) ? formatLabel(value).toLowerCase() : value;
}

function ChangeLine({ change, nameOf }: { change: Change; nameOf?: (subject: string) => string }) {
  const wordOf = (change: Change, value: string) => nameOf?.(value) ?? labelOf(change, value);
  return (
    <p className="wrap">
      {change.field !== null && <span className="soft">{`${change.field} `}</span>}
      {change.from !== null && <LinkedText text={wordOf(change, change.from)} className="soft" />}
      {change.from !== null && " → "}
      <LinkedText text={wordOf(change, change.to)} />
    </p>
  );
}

/** Their value is the suppression's id, which means nothing to a reader. */
const WITHOUT_VALUE = ["suppressed", "suppression_revoked"];

/** The value after a change; a removed assignment leaves the incident unassigned. */
function valueAfter({ action, to }: WorkflowEntry): string | null {
  // `beacon: false_positive`: the detector's id stays as it is.
  if (action === "model_feedback") return to?.replace(/: \w+$/, (text) => text.replaceAll("_", " ")) ?? null;
  return to === null && PEOPLE.includes(action) ? "unassigned" : to;
}

/** Who changed what and why, newest first. */
export function History({ entries, empty }: { entries: WorkflowEntry[]; empty: string }) {
  const nameOf = usePersonName();
  if (entries.length === 0) return <p className="muted">{empty}</p>;
  const newestFirst = [...entries].sort((a, b) => b.revision - a.revision || (a.at < b.at ? 1 : -1));
  return (
    <ol className="history">
      {newestFirst.map((entry) => (
        <li key={`${entry.revision} ${entry.at} ${entry.action}`}>
          <p className="wrap">
            <Foreign text={nameOf(entry.actor)} className="strong" />{" "}
            <span className="soft">{formatLabel(entry.action).toLowerCase()}</span>
          </p>
          {!WITHOUT_VALUE.includes(entry.action) &&
            changesOf(entry.from, valueAfter(entry)).map((change) => (
              <ChangeLine
                key={change.field ?? ""}
                change={change}
                nameOf={PEOPLE.includes(entry.action) ? nameOf : undefined}
              />
            ))}
          {entry.comment !== null && (
            <p className="history-comment wrap">
              <LinkedText text={entry.comment} />
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
