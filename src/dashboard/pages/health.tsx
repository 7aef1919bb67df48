import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import type { HealthComponent, HealthReport } from "../../contract/health.ts";
import { Foreign } from "../components/names.tsx";
import { Card, PageHeader } from "../components/page.tsx";
import { ErrorState, SkeletonBlock, StaleNotice } from "../components/states.tsx";
import { Stat } from "../components/stat.tsx";
import { TableBox } from "../components/table.tsx";
import { ComponentTag, HealthTag } from "../components/tags.tsx";
import { Ago } from "../components/time.tsx";
import { ABSENT, formatExact, formatSpan, formatWord } from "../format.ts";
import { healthReport } from "../queries.ts";
import { useSignedIn } from "../session.tsx";

/** What each kind of component is, in the order in which they are looked at. */
const KINDS: Record<string, string> = {
  appliance: "the service as a whole",
  store: "the database",
  pipeline: "makes flows, devices and incidents of records",
  disk: "room on the database's disk",
  retention: "how long records are kept within the room they have",
  intelligence: "lists of known threats",
  geoip: "where addresses are",
  sensor: "sends records",
  telemetry: "heartbeat of the service",
  update: "looks for newer versions",
};
const KIND_ORDER = Object.keys(KINDS);

/** By kind, and what is not as it should be first within its kind; a kind that is new here goes last. */
function arranged(components: HealthComponent[]): HealthComponent[] {
  const rank = ({ kind }: HealthComponent) =>
    (KIND_ORDER.indexOf(kind) + KIND_ORDER.length + 1) % (KIND_ORDER.length + 1);
  return [...components].sort((a, b) =>
    rank(a) - rank(b) || Number(a.status === "ok") - Number(b.status === "ok")
  );
}

/** What is wrong; why is for administrators, and that it is withheld is said. */
function Message({ component }: { component: HealthComponent }) {
  const { status, message } = component;
  if (message !== null) return <Foreign text={message} />;
  if (status === "ok" || component.kind === "appliance") return null;
  return <span className="muted">administrators see why</span>;
}

function Components({ components }: { components: HealthComponent[] }) {
  return (
    <TableBox
      label="Components"
      head={
        <>
          <th scope="col">Status</th>
          <th scope="col">Component</th>
          <th scope="col" className="wide-only">Last event</th>
          <th scope="col" className="number wide-only">Lag</th>
          <th scope="col">Message</th>
        </>
      }
    >
      {arranged(components).map((component) => {
        const { id, kind, status, last_event_at, lag_seconds, message } = component;
        return (
          <tr key={id}>
            <td>
              <ComponentTag status={status} message={message} />
            </td>
            <td>
              <Foreign text={id} className="strong wrap" />
              <span className="muted small component-kind">{KINDS[kind] ?? formatWord(kind)}</span>
            </td>
            <td className="soft wide-only">
              {last_event_at === null ? ABSENT : <Ago at={last_event_at} />}
            </td>
            <td className="number soft wide-only">
              {last_event_at === null && lag_seconds === 0 ? ABSENT : formatSpan(lag_seconds * 1000)}
            </td>
            <td className="soft wrap">
              <Message component={component} />
            </td>
          </tr>
        );
      })}
    </TableBox>
  );
}

const SUMMARY = {
  ok: "Everything works and records arrive.",
  stale: "The service works, but some sensor has been silent for too long.",
  degraded: "Something does not work as it should; what still does is listed below.",
  unavailable: "The service cannot do its work now.",
};

/** More than this and what is missing may be what mattered. */
const LOSS_PERCENT = 1;

/** What the sensors themselves miss of the traffic; that none says so is not the same as nothing missed. */
function CaptureLoss({ capture }: { capture: HealthReport["capture"] }) {
  const { loss_percent: loss, sampled_at: at } = capture;
  if (loss === null) return <Stat name="Capture loss" value="not known" note="no sensor reports it" />;
  return (
    <Stat
      name="Capture loss"
      value={`${Number(loss.toFixed(2))} %`}
      note={at === null ? undefined : <Ago at={at} />}
      bad={loss > LOSS_PERCENT}
    />
  );
}

function Report({ report }: { report: HealthReport }) {
  const { ingest, capture, watermark } = report;
  return (
    <>
      <section className={`health-banner health-${report.status}`} aria-label="Overall status">
        <HealthTag status={report.status} />
        <p>{SUMMARY[report.status]}</p>
      </section>
      <div className="stats">
        <Stat name="Records, last 5 min" value={formatExact(ingest.events_last_5m)} />
        <Stat
          name="Unparsed, last 5 min"
          value={formatExact(ingest.unparsed_last_5m)}
          bad={ingest.unparsed_last_5m > 0}
        />
        <Stat
          name="Rejected, last 5 min"
          value={formatExact(ingest.rejected_last_5m)}
          bad={ingest.rejected_last_5m > 0}
        />
        <Stat
          name="Newest record received"
          value={watermark === null ? "none yet" : <Ago at={watermark} />}
        />
        <Stat
          name="Oldest unprocessed"
          value={ingest.oldest_buffered_at === null ? "none" : <Ago at={ingest.oldest_buffered_at} />}
        />
        <CaptureLoss capture={capture} />
      </div>
      <Card title="Components" note="by receipt time, so a wrong clock at a sensor does not matter" flush>
        <Components components={report.components} />
      </Card>
    </>
  );
}

export function Health(): ReactNode {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(healthReport(tenant));
  return (
    <div className="page">
      <PageHeader title="Health" note="The service and the sensors that feed it" />
      {data && <StaleNotice error={error} retry={() => void refetch()} />}
      {data
        ? <Report report={data} />
        : isPending
        ? <SkeletonBlock tall />
        : <ErrorState what="The health report" error={error} retry={() => void refetch()} />}
    </div>
  );
}
