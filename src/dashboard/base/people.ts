import { queryOptions, useQuery } from "@tanstack/react-query";
import { firstPages } from "./api.ts";
import { useSignedIn } from "./session.ts";

const PAGES = 4;
const PAGE = 500;
const STALE_MILLISECONDS = 60_000;

/** People whom the tenant has seen, by subject. */
export const peopleQuery = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "people"],
    queryFn: async ({ signal }) => {
      const { rows } = await firstPages("listPeople", { query: { limit: PAGE }, signal }, PAGES);
      return new Map(rows.map((person) => [person.subject, person]));
    },
    staleTime: STALE_MILLISECONDS,
  });

/** The name of a subject; the subject itself if the directory does not have it. */
export function usePersonName(): (subject: string) => string {
  const { tenant } = useSignedIn();
  const { data } = useQuery(peopleQuery(tenant));
  return (subject) => data?.get(subject)?.name ?? subject;
}
