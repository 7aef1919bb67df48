import { type ComponentType, lazy, Suspense } from "react";
import { useQuery } from "@tanstack/react-query";
import type { SavedSearch } from "../../../contract/search/saved-search.ts";
import { useSignedIn } from "../../base/session.ts";
import { savedSearches } from "../../search/saved-query.ts";

type List = ComponentType<{ searches: readonly SavedSearch[] }>;

/** The search language is large, and people without saved searches do without it. */
const SavedList = lazy((): Promise<{ default: List }> =>
  import("./saved-list.tsx").then(
    ({ SavedList }) => ({ default: SavedList }),
    // The sidebar stays without them while the service does not answer.
    () => ({ default: () => null }),
  )
);

/** The saved searches with live counts, shared ones first; nothing if there are none. */
export function SavedLinks() {
  const { tenant } = useSignedIn();
  const { data } = useQuery(savedSearches(tenant));
  if (data === undefined || data.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <SavedList searches={data} />
    </Suspense>
  );
}
