import { ApiFailure } from "../../base/api.ts";
import { formatExact } from "../format.ts";
import type { ListState } from "./list-state.ts";

interface GridFooterProps {
  count: number;
  total?: number;
  list: ListState | undefined;
}

/** The announced number of loaded rows; after a failure, the next try. */
export function GridFooter({ count, total = 0, list }: GridFooterProps) {
  const { hasMore = false, loading = false } = list ?? {};
  const error = hasMore && list?.error ? list.error : null;
  if (error !== null) {
    const expired = error instanceof ApiFailure && error.code === "cursor_expired";
    return (
      <span className="grid-count">
        <span className="field-error" role="alert">
          {error instanceof Error ? error.message : String(error)}
        </span>
        <button
          type="button"
          className="button button-small"
          disabled={loading}
          onClick={expired ? list?.retry : list?.loadMore}
        >
          {expired ? "Start again" : "Try again"}
        </button>
      </span>
    );
  }
  return (
    <span className="grid-count muted small" role="status">
      {hasMore && count === 0
        ? "Nothing found so far"
        : `${formatExact(count)}${hasMore && total > count ? ` of ${formatExact(total)}` : ""} shown${
          !hasMore ? "" : loading ? ", loading more" : total > count ? "" : ", more available"
        }`}
    </span>
  );
}
