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

function Components({ components }: { components: HealthComponent[] }) {
  return (
    <TableBox label="Components">
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Component</th>
          <th scope="col" className="wide-only">Kind</th>
          <th scope="col">Last event</th>
          <th scope="col" className="number wide-only">Lag</th>
          <th scope="col">Message</th>
        </tr>
      </thead>
      <tbody>
        {components.map(({ id, kind, status, last_event_at, lag_seconds, message }) => (
          <tr key={id}>
            <td>
              <ComponentTag status={status} message={message} />
            </td>
            <td className="strong">
              <Foreign text={id} />
            </td>
            <td className="soft wide-only">{formatWord(kind)}</td>
            <td className="soft">{last_event_at === null ? ABSENT : <Ago at={last_event_at} />}</td>
            <td className="number soft wide-only">
              {last_event_at === null && lag_seconds === 0 ? ABSENT : formatSpan(lag_seconds * 1000)}
            </td>
            <td className="soft wrap">{message === null ? "" : <Foreign text={message} />}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

const SUMMARY = {
  ok: "Everything works and records arrive.",
  stale: "The service works, but some sensor has been silent for too long.",
  degraded: "Something does not work as it should; what still does is listed below.",
  unavailable: "The service cannot do its work now.",
};

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
        <Stat name="Newest record received" value={watermark === null ? ABSENT : <Ago at={watermark} />} />
        <Stat
          name="Oldest unprocessed"
          value={ingest.oldest_buffered_at === null ? "none" : <Ago at={ingest.oldest_buffered_at} />}
        />
        <Stat
          name="Capture loss"
          value={capture.loss_percent === null ? ABSENT : `${Number(capture.loss_percent.toFixed(2))} %`}
          note={capture.sampled_at === null ? undefined : <Ago at={capture.sampled_at} />}
        />
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
