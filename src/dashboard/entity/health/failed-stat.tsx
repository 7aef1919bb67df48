import { Link } from "@tanstack/react-router";
import type { FailedStatus } from "../../../contract/record/failed-record.ts";
import { formatExact } from "../../ui/format.ts";
import { Stat } from "../../ui/stat.tsx";
import { to } from "../../base/links.ts";

interface FailedStatProps {
  name: string;
  status: FailedStatus;
  /** In the last five minutes. */
  count: number;
  admin: boolean;
}

/** A number of failed records; administrators can open the list of them, earlier ones included. */
export function FailedStat({ name, status, count, admin }: FailedStatProps) {
  return (
    <Stat
      name={name}
      value={formatExact(count)}
      note={admin && (
        <Link {...to.records({ status })} className="link" aria-label={`Show ${status} records`}>
          Show
        </Link>
      )}
      bad={count > 0}
    />
  );
}
