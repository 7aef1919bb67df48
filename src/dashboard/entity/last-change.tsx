import type { WorkflowEntry } from "../../contract/device/device.ts";
import { formatLabel } from "../ui/format.ts";
import { LinkedText } from "./linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Time } from "../ui/time/time.tsx";

interface LastChangeProps {
  base: { revision: number };
  stored: { workflow_history: readonly WorkflowEntry[] };
  nameOf: (subject: string) => string;
  /** What changed it if no person did. */
  otherwise?: string;
}

/** The newest entry since the version that a form was based on; null if no person changed it. */
export function lastChange(
  { revision }: LastChangeProps["base"],
  { workflow_history }: LastChangeProps["stored"],
): WorkflowEntry | null {
  return workflow_history.findLast((entry) => entry.revision > revision) ?? null;
}

/** Who changed an object, when and why. */
export function LastChange({ base, stored, nameOf, otherwise = "" }: LastChangeProps) {
  const entry = lastChange(base, stored);
  if (entry === null) return <>{otherwise}</>;
  return (
    <>
      <Foreign text={nameOf(entry.actor)} />: {formatLabel(entry.action).toLowerCase()},{" "}
      <Time at={entry.at} />
      {entry.comment !== null && (
        <>
          {": “"}
          <LinkedText text={entry.comment} />”
        </>
      )}
    </>
  );
}
