import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { healthReport } from "../entity/health/health-query.ts";
import { useSignedIn } from "../base/session.ts";
import { isOff } from "../entity/health/health-labels.ts";
import { Card, PageHeader } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { ComponentTag } from "../entity/health/health-tags.tsx";
import { Ago, Time } from "../ui/time/time.tsx";
import { Heartbeat } from "./heartbeat.tsx";
import { ReleaseNotice } from "../entity/health/release.tsx";

/** What leaves the appliance, when, and how to stop it. */
export function Telemetry(): ReactNode {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(healthReport(tenant));
  return (
    <div className="page">
      <PageHeader title="Telemetry" note="What leaves this appliance, to the last byte">
        <Link {...to.help("telemetry")} className="button">What each field means</Link>
      </PageHeader>
      {data
        ? (
          <>
            <div className="wide-cards">
              <Card title="Schedule">
                <dl className="facts">
                  <div>
                    <dt>State</dt>
                    <dd>
                      <ComponentTag status={data.telemetry.status} message={data.telemetry.message} />
                    </dd>
                  </div>
                  <div>
                    <dt>Sent</dt>
                    <dd>
                      {isOff(data.telemetry)
                        ? "nothing"
                        : "once a day, at a minute derived from its identifier"}
                    </dd>
                  </div>
                  <div>
                    <dt>Last received</dt>
                    <dd>
                      {data.telemetry.last_event_at === null ? "never" : (
                        <>
                          <Time at={data.telemetry.last_event_at} /> (
                          <Ago at={data.telemetry.last_event_at} skew={data.skew} />)
                        </>
                      )}
                    </dd>
                  </div>
                  <div>
                    <dt>Updates</dt>
                    <dd>
                      <ComponentTag status={data.update.status} message={data.update.message} />
                      <div className="soft">
                        {isOff(data.update) ? "Not checked for" : "Checked for after each heartbeat"}, never
                        installed automatically.
                      </div>
                    </dd>
                  </div>
                </dl>
              </Card>
              <Card title={isOff(data.telemetry) ? "Switch it on" : "Switch it off"}>
                {isOff(data.telemetry)
                  ? (
                    <p>
                      Remove <code>NDR_TELEMETRY=off</code> from <code>/etc/ndr/ndr.env</code>, set{" "}
                      <code>NDR_TELEMETRY_URL</code>{" "}
                      there to the address of the registration server, and restart the core:{" "}
                      <code className="nowrap">systemctl restart ndr-core</code>.
                    </p>
                  )
                  : (
                    <>
                      <p>
                        Set <code>NDR_TELEMETRY=off</code> in <code>/etc/ndr/ndr.env</code>{" "}
                        and restart the core:{" "}
                        <code className="nowrap">systemctl restart ndr-core</code>. On the pro plan the
                        licence is then no longer renewed automatically.
                      </p>
                      <p className="soft">
                        Without <code>NDR_TELEMETRY_URL</code> nothing is sent either.
                      </p>
                    </>
                  )}
                <p>
                  <Link {...to.help("license")} className="link">What the licence needs</Link>
                </p>
              </Card>
            </div>
            {data.update.release !== null && <ReleaseNotice release={data.update.release} />}
            <Heartbeat telemetry={data.telemetry} skew={data.skew} />
          </>
        )
        : isPending
        ? <SkeletonBlock tall />
        : <ErrorState what="The telemetry" error={error} retry={() => void refetch()} />}
    </div>
  );
}
