import type { ReactNode } from "react";
import type { HealthComponent, HealthReport } from "../../contract/health/health.ts";
import { formatExact, formatSpan } from "../ui/format.ts";
import { isOut, shortName, troubles } from "../entity/health/health-labels.ts";
import { headline, remedy } from "./health-advice.ts";
import type { TimedHealthReport } from "../entity/health/health-query.ts";
import { FailedStat } from "../entity/health/failed-stat.tsx";
import { HealthGroups } from "./health-groups.tsx";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { ReleaseNotice } from "../entity/health/release.tsx";
import { Stat } from "../ui/stat.tsx";
import { HealthTag } from "../entity/health/health-tags.tsx";
import { Ago, Time } from "../ui/time/time.tsx";

interface ReportProps {
  report: TimedHealthReport;
  /** Reasons are shown to administrators. */
  admin: boolean;
  /** Time of the last report if reading it again failed, in milliseconds; null if the report is current. */
  silentSince?: number | null;
  /** Shown last: it arrives later, and its height is not known before. */
  history?: ReactNode;
}

/** The whole report, most important first. */
export function Report({ report, admin, silentSince = null, history }: ReportProps) {
  return (
    <>
      {silentSince === null ? <Banner report={report} /> : <NoAnswer since={silentSince} />}
      <ClockNotice skew={report.skew} />
      <Troubles report={report} admin={admin} />
      {report.update.release !== null && <ReleaseNotice release={report.update.release} />}
      {!isOut("store", report.components) && <Numbers report={report} admin={admin} />}
      <HealthGroups components={report.components} skew={report.skew} admin={admin} />
      {history}
    </>
  );
}

/** The overall status in one sentence: is the appliance blind, and since when. */
function Banner({ report }: { report: TimedHealthReport }) {
  const { status, components, skew } = report;
  const since = components.find(({ id }) => id === "appliance")?.since ?? null;
  return (
    <section className={`health-banner health-${status}`} aria-label="Overall status">
      <HealthTag status={status} />
      <p>{headline(report)}</p>
      {since !== null && <Since at={since} skew={skew} />}
    </section>
  );
}

function Since({ at, skew }: { at: string; skew: number }) {
  return (
    <span className="soft">
      since <Time at={at} short />, <Ago at={at} skew={skew} />
    </span>
  );
}

/** An old report must not look like the current state. */
function NoAnswer({ since }: { since: number }) {
  return (
    <section className="health-banner health-unavailable" aria-label="Overall status">
      <HealthTag status="unavailable" />
      <p>
        The appliance does not answer. Below is its last report, of{" "}
        <Time at={new Date(since).toISOString()} />.
      </p>
    </section>
  );
}

/** A larger difference misleads anybody who compares times, in milliseconds. */
const CLOCKS_APART = 60_000;

/**
 * Sign-in, signatures and all times depend on the appliance's clock; nothing else reveals that it is wrong.
 */
function ClockNotice({ skew }: { skew: number }) {
  if (Math.abs(skew) < CLOCKS_APART) return null;
  return (
    <p className="notice notice-warning" role="status">
      <Icon name="clock" />
      <span>
        The appliance's clock is {formatSpan(Math.abs(skew))} {skew > 0 ? "ahead of" : "behind"}{" "}
        this browser's. One of them is wrong: check that both use a time server.
      </span>
    </p>
  );
}

/** What needs attention, and what to do about it. */
function Troubles({ report, admin }: { report: TimedHealthReport; admin: boolean }) {
  const wrong = troubles(report.components);
  if (wrong.length === 0) return null;
  return (
    <Card
      title="Needs attention"
      note={admin ? undefined : "causes and next steps are shown to administrators"}
      flush
    >
      <ul className="rows">
        {wrong.map((component) => (
          <Trouble key={component.id} component={component} skew={report.skew} admin={admin} />
        ))}
      </ul>
    </Card>
  );
}

function Trouble({ component, skew, admin }: { component: HealthComponent; skew: number; admin: boolean }) {
  const { kind, status, since, message } = component;
  const help = admin ? remedy(component) : null;
  return (
    <li className={`row trouble health-${status}`}>
      <span className="trouble-status">
        <HealthTag status={status} />
      </span>
      <span className="row-main">
        <span className="trouble-head">
          <span>
            {KIND_NAMES[kind] && <span className="soft">{`${KIND_NAMES[kind]} `}</span>}
            <Foreign text={shortName(component)} className="strong" />
          </span>
          {since !== null && <Since at={since} skew={skew} />}
        </span>
        {message !== null && <Foreign text={message} className="wrap" />}
        {help !== null && (
          <span className="trouble-help soft">
            <Icon name="right" />
            <span>
              {help.split("`").map((part, index) => index % 2 ? <code key={index}>{part}</code> : part)}
            </span>
          </span>
        )}
      </span>
    </li>
  );
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  sensor: "Sensor",
  connector: "Connector",
  intelligence: "List",
  geoip: "Database",
};

/** Above this loss the missing traffic may have mattered, in percent. */
const LOSS_PERCENT = 1;

/** Traffic that sensors miss by their own account; no report is not the same as no loss. */
function CaptureLoss({ capture, skew }: { capture: HealthReport["capture"]; skew: number }) {
  const { loss_percent: loss, sampled_at: at } = capture;
  if (loss === null) return <Stat name="Capture loss" value="not known" note="no sensor reports it" />;
  return (
    <Stat
      name="Capture loss"
      value={`${Number(loss.toFixed(2))} %`}
      note={at === null ? undefined : <Ago at={at} skew={skew} />}
      bad={loss > LOSS_PERCENT}
    />
  );
}

function Numbers({ report, admin }: { report: TimedHealthReport; admin: boolean }) {
  const { ingest, capture, watermark, skew } = report;
  const oldest = ingest.oldest_buffered_at;
  return (
    <div className="stats">
      <Stat name="Records, last 5 min" value={formatExact(ingest.events_last_5m)} />
      <FailedStat
        name="Unparsed, last 5 min"
        status="unparsed"
        count={ingest.unparsed_last_5m}
        admin={admin}
      />
      <FailedStat
        name="Rejected, last 5 min"
        status="rejected"
        count={ingest.rejected_last_5m}
        admin={admin}
      />
      <Stat
        name="Newest record received"
        value={watermark === null ? "none yet" : <Ago at={watermark} skew={skew} />}
      />
      <Stat name="Oldest unprocessed" value={oldest === null ? "none" : <Ago at={oldest} skew={skew} />} />
      <CaptureLoss capture={capture} skew={skew} />
    </div>
  );
}
