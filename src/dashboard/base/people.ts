import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Person } from "../../contract/session/person.ts";
import { getPage, type Page } from "./api.ts";
import { useSignedIn } from "./session.ts";

const PAGES = 4;
const PAGE = 500;
const STALE_MILLISECONDS = 60_000;

/** People whom the tenant has seen, by subject. */
export const peopleQuery = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "people"],
    queryFn: async ({ signal }) => {
      const people = new Map<string, Person>();
      let cursor: string | null = null;
      for (let read = 0; read < PAGES; read++) {
        const page: Page<Person> = await getPage("/api/v1/people", { limit: PAGE, cursor }, signal);
        for (const person of page.data) people.set(person.subject, person);
        cursor = page.next_cursor;
        if (cursor === null) break;
      }
      return people;
    },
    staleTime: STALE_MILLISECONDS,
  });

/** The name of a subject; the subject itself if the directory does not have it. */
export function usePersonName(): (subject: string) => string {
  const { tenant } = useSignedIn();
  const { data } = useQuery(peopleQuery(tenant));
  return (subject) => data?.get(subject)?.name ?? subject;
}
