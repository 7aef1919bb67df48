import { ApiFailure } from "../../base/api.ts";
import { Icon } from "../../ui/icons.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { plural } from "../../ui/format.ts";
import { type Failed, isConflict } from "./changes.ts";

/** The incidents that a change did not reach, each with the reason. */
export function FailureList({ failed }: { failed: readonly Failed[] }) {
  return (
    <div className="notice notice-error failure-list" role="alert">
      <Icon name="warning" />
      <div>
        <p className="strong">{plural(failed.length, "incident")} not changed</p>
        <ul>
          {failed.map(({ seen, error }) => (
            <li key={seen.id} className="wrap">
              <Foreign text={seen.title} />: {reasonOf(error)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function reasonOf(error: unknown): string {
  if (isConflict(error)) return "another person changed it meanwhile.";
  if (error instanceof ApiFailure && error.status === 404) return "it no longer exists.";
  return error instanceof Error ? error.message : String(error);
}
