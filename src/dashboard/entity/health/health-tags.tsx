import type { HealthStatus } from "../../../contract/record/kinds.ts";
import { formatLabel } from "../../ui/format.ts";
import { isOff } from "./health-labels.ts";

export function HealthTag({ status }: { status: HealthStatus }) {
  return (
    <span className={`tag health-${status}`}>
      <span className="tag-dot" aria-hidden="true" />
      {formatLabel(status)}
    </span>
  );
}

/** A component that is switched off is intentional: neither red nor green. */
export function ComponentTag({ status, message }: { status: HealthStatus; message: string | null }) {
  if (!isOff({ message })) return <HealthTag status={status} />;
  return (
    <span className="tag muted health-off" title={`${status}: ${message}`}>
      <span className="tag-dot" aria-hidden="true" />
      Off
    </span>
  );
}
