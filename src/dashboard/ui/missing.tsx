import { Link } from "@tanstack/react-router";
import { ApiFailure } from "../base/api.ts";
import type { Target } from "../base/links.ts";
import { useTitle } from "./page.tsx";
import { Empty } from "./states.tsx";

/** An object that the API does not have, or not in this tenant, as opposed to a failure. */
export function Missing({ what, list }: { what: string; list: Target }) {
  useTitle("Not found");
  return (
    <div className="page">
      <h1 className="hidden">Not found</h1>
      <Empty icon="search" title={`${what} not found`}>
        <p className="soft">It may belong to another tenant or be past its retention.</p>
        <Link {...list} className="button">Go to the list</Link>
      </Empty>
    </div>
  );
}

export function isMissing(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 404;
}
