import type { WorkflowEntry } from "../../contract/device.ts";
import { formatWord } from "../format.ts";
import { Foreign } from "./names.tsx";
import { Time } from "./time.tsx";

/** Who changed what and why, newest first. */
export function History({ entries, empty }: { entries: WorkflowEntry[]; empty: string }) {
  if (entries.length === 0) return <p className="muted">{empty}</p>;
  const newestFirst = [...entries].sort((a, b) => b.revision - a.revision || (a.at < b.at ? 1 : -1));
  return (
    <ol className="history">
      {newestFirst.map((entry) => (
        <li key={`${entry.revision} ${entry.at} ${entry.action}`}>
          <p>
            <span className="strong">{entry.actor}</span>{" "}
            <span className="soft">
              {formatWord(entry.action).toLowerCase()}
              {entry.from !== null && entry.to !== null && (
                <>
                  : <Foreign text={wordOf(entry.from)} /> → <Foreign text={wordOf(entry.to)} />
                </>
              )}
              {entry.from === null && entry.to !== null && (
                <>
                  : <Foreign text={wordOf(entry.to)} />
                </>
              )}
            </span>
          </p>
          {entry.comment !== null && <p className="history-comment wrap">{entry.comment}</p>}
          <p className="muted small">
            <Time at={entry.at} /> · revision {entry.revision}
          </p>
        </li>
      ))}
    </ol>
  );
}

/** Statuses are shown as everywhere else; free text, such as a new name, stays as it is. */
function wordOf(value: string): string {
  return /^[a-z]+(_[a-z]+)*$/.test(value) ? formatWord(value).toLowerCase() : value;
}
