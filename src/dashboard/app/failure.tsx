import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useContext, useEffect, useEffectEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import { Logo } from "../ui/icons.tsx";
import { PageHeader, useTitle } from "../ui/page.tsx";
import { Empty, ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { isOut, troubles } from "../entity/health/health-labels.ts";
import { to } from "../base/links.ts";
import { healthReport } from "../entity/health/health-query.ts";
import { CurrentSession } from "../base/session.ts";

// Large, and seldom needed here.
const Report = lazy(() => import("../health/health-report.tsx").then(({ Report }) => ({ default: Report })));

/** An unknown address of the dashboard. */
export function NotFound() {
  useTitle("Not found");
  const current = useContext(CurrentSession);
  return (
    <div className="page">
      <h1 className="hidden">Not found</h1>
      <Empty icon="search" title="Page not found">
        <p className="soft">The address may be mistyped, or its object may be past its retention.</p>
        <Link {...to.overview()} params={{ tenant: current?.tenant ?? "" }} className="button">
          Go to the overview
        </Link>
      </Empty>
    </div>
  );
}

/** A defect of the dashboard while rendering a page. */
export function Broken({ error, reset }: { error: unknown; reset: () => void }) {
  useTitle("Error");
  return (
    <div className="page">
      <h1 className="hidden">Error</h1>
      <ErrorState what="This page" error={error} retry={reset} />
    </div>
  );
}

/**
 * The service does not answer, so even the session is unknown. While only the database is down, a recently
 * signed-in person can still read health.
 */
export function Unavailable({ error, retry }: { error: unknown; retry: () => void }) {
  useTitle("Not available");
  const { data, error: unread, dataUpdatedAt } = useQuery(healthReport(null));
  const works = data !== undefined && unread === null && !isOut("store", data.components);
  const retryOnce = useEffectEvent(retry);
  // With each report that confirms it.
  useEffect(() => {
    if (works) retryOnce();
  }, [works, dataUpdatedAt]);
  if (data !== undefined) {
    const isAdmin = troubles(data.components).some(({ message }) => message !== null);
    return (
      <main className="page">
        <PageHeader title="NDR is not available" note="Only health is available now">
          <button type="button" className="button" onClick={retry}>Try again</button>
        </PageHeader>
        <Suspense fallback={<SkeletonBlock tall />}>
          <Report report={data} admin={isAdmin} silentSince={unread ? dataUpdatedAt : null} />
        </Suspense>
      </main>
    );
  }
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
