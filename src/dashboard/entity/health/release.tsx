import type { ReactNode } from "react";
import { useLocation } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import type { Release } from "../../../contract/telemetry/registration.ts";
import { useDismissed } from "./dismissed.ts";
import { healthReport } from "./health-query.ts";
import { useSignedIn } from "../../base/session.ts";
import { Icon } from "../../ui/icons.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { useToast } from "../../ui/toast/toast.ts";

/** Shown on every page, except those that include it, until dismissed. */
export function ReleaseBanner() {
  const { tenant } = useSignedIn();
  const { data } = useQuery(healthReport(tenant));
  const { pathname } = useLocation();
  const release = data?.update.release ?? null;
  const [dismissed, setDismissed] = useDismissed(release);
  const toast = useToast();
  if (release === null || dismissed || /\/system\/(?:health|telemetry)$/.test(pathname)) return null;
  const dismiss = () => {
    setDismissed(true);
    toast({
      text: `The notice of NDR ${release.latest_version} stays on the health page.`,
      undo: () => setDismissed(false),
    });
  };
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
