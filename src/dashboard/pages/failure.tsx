import { Link } from "@tanstack/react-router";
import { ApiFailure } from "../api.ts";
import { Empty, ErrorState } from "../components/states.tsx";
import { useTitle } from "../components/page.tsx";
import { Logo } from "../components/icons.tsx";

/** No such address. */
export function NotFound() {
  useTitle("Not found");
  return (
    <div className="page">
      <h1 className="hidden">Not found</h1>
      <Empty icon="search" title="There is no such page">
        <p className="soft">The address may be mistyped, or what it named is past its retention.</p>
        <Link to="/" className="button">Go to the overview</Link>
      </Empty>
    </div>
  );
}

/** An object that the API does not have (or not for this tenant), as opposed to a failure. */
export function Missing({ what, to }: { what: string; to: "/incidents" | "/devices" | "/flows" }) {
  useTitle("Not found");
  return (
    <div className="page">
      <h1 className="hidden">Not found</h1>
      <Empty icon="search" title={`There is no such ${what}`}>
        <p className="soft">It may belong to another tenant, or be past its retention.</p>
        <Link to={to} className="button">Go to the list</Link>
      </Empty>
    </div>
  );
}

/** A fault of the dashboard itself while showing a page. */
export function Broken({ error, reset }: { error: unknown; reset: () => void }) {
  useTitle("Error");
  return (
    <div className="page">
      <h1 className="hidden">Error</h1>
      <ErrorState what="This page" error={error} retry={reset} />
    </div>
  );
}

/** The service does not answer, so not even the session is known. */
export function Unavailable({ error, retry }: { error: unknown; retry: () => void }) {
  useTitle("Not available");
  return (
    <main className="gate">
      <div className="gate-card gate-wide">
        <Logo size={44} />
        <h1>NDR is not available</h1>
        <ErrorState what="The session" error={error} retry={retry} />
      </div>
    </main>
  );
}

export function isMissing(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 404;
}
