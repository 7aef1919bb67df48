import { formatExact } from "../format.ts";
import type { StableRows } from "./stable-rows.ts";

/** Announces rows that wait; a click shows them. It stands among a grid's tools, so that nothing moves. */
export function NewRows(
  { waiting: { added, moved }, showAll }: Pick<StableRows<never>, "waiting" | "showAll">,
) {
  const parts = [
    ...added > 0 ? [`${formatExact(added)} new`] : [],
    ...moved > 0 ? [`${formatExact(moved)} moved`] : [],
  ];
  return (
    <span role="status">
      {parts.length > 0 && (
        <button type="button" className="button button-small" onClick={showAll}>
          {parts.join(", ")}: show
        </button>
      )}
    </span>
  );
}
