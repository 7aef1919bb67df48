import { useQuery } from "@tanstack/react-query";
import { aggregate } from "../search/search-queries.ts";
import { useSignedIn } from "../base/session.ts";

const MOST_DETECTORS = 100;

/** Ids of the detectors that have found something. */
export function useDetectors(): string[] {
  const { tenant, session } = useSignedIn();
  const { data } = useQuery(
    aggregate(tenant, {
      kind: "incidents",
      text: "",
      range: null,
      groupBy: ["detector"],
      limit: MOST_DETECTORS,
    }, session.csrf_token),
  );
  return data?.groups.flatMap(({ key: [id = null] }) => id ?? []).sort() ?? [];
}
