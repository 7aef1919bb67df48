import type { IncidentStatus } from "../../../contract/record/kinds.ts";
import { formatLabel } from "../../ui/format.ts";

export function StatusTag({ status }: { status: IncidentStatus }) {
  return (
    <span className={`tag status-${status}`}>
      <span className="tag-dot" aria-hidden="true" />
      {formatLabel(status)}
    </span>
  );
}
