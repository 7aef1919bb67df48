import type { ReactNode } from "react";
import { useLocation } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import type { Release } from "../../contract/telemetry/registration.ts";
import { useDismissed } from "../app/dismissed.ts";
import { healthReport } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/names.tsx";

/** Shown on every page, except the one that includes it, until dismissed. */
export function ReleaseBanner() {
  const { tenant } = useSignedIn();
  const { data } = useQuery(healthReport(tenant));
  const { pathname } = useLocation();
  const release = data?.update.release ?? null;
  const [dismissed, dismiss] = useDismissed(release);
  if (release === null || dismissed || pathname === "/health") return null;
  return (
    <div className="release-bar">
      <ReleaseNotice release={release}>
        <button
          type="button"
          className="button-icon"
          aria-label="Dismiss the notice of this release"
          onClick={dismiss}
        >
          <Icon name="close" />
        </button>
      </ReleaseNotice>
    </div>
  );
}

/** A newer release. All its text comes from outside: no markup, no link, no automatic action. */
export function ReleaseNotice({ release, children }: { release: Release; children?: ReactNode }) {
  const { latest_version, security, released_on, channel, notice, url } = release;
  return (
    <section className={security ? "notice notice-warning" : "notice"} aria-label="Newer release">
      <Icon name={security ? "warning" : "refresh"} />
      <div className="release">
        <p className="release-head">
          <span className="strong">
            NDR <Foreign text={latest_version} /> is available
          </span>
          {security && <span className="tag release-security">Security release</span>}
          <span className="small">
            {channel}, of {released_on}
          </span>
        </p>
        {notice !== "" && (
          <p>
            Notice of the publisher: <Foreign text={notice} className="wrap" />
          </p>
        )}
        <p className="small">
          Updates are never installed automatically. Details: <Foreign text={url} className="mono wrap" />
        </p>
      </div>
      {children}
    </section>
  );
}
