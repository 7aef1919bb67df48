import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { GroupField } from "../../contract/filter/aggregate.ts";
import type { Condition } from "../../contract/filter/tree.ts";
import { useDeviceName } from "../base/devices.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { EVER } from "../base/time/range.ts";
import { techniqueLabel } from "../../kit/attack.ts";
import { aggregate, type Summed } from "../search/aggregates.ts";
import { BAR_HEIGHT, BarList } from "../ui/chart/bar-list.tsx";
import { ChartSkeleton, ChartSlot } from "../ui/chart/chart-slot.tsx";
import { TimeSeries } from "../ui/chart/time-series.tsx";
import { INCIDENTS } from "../ui/chart/unit.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
import { textOfCondition } from "../entity/entity-kinds.ts";
import { EntityIncidents } from "../entity/incident/entity-incidents.tsx";
import { usePart } from "../entity/parts.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { ABSENT, formatExact, formatLabel, formatShare } from "../ui/format.ts";
import { Card, useTitle } from "../ui/page.tsx";
import { SEVERITY_ORDER } from "../ui/severity.ts";
import { Stat } from "../ui/stat.tsx";
import { ErrorState } from "../ui/states.tsx";
import { RangeControl, useRange } from "../ui/time/range-control.tsx";

const HEIGHT = 140;
const ROOM = 8;

/** What a detector reported over time, on which devices, and how its incidents were closed. */
export function DetectorPage(): ReactNode {
  const { detector = "" }: { detector?: string } = useParams({ strict: false });
  useTitle(detector);
  const where: Condition = { field: "detector", op: "=", value: detector };
  const DetectorHelp = usePart("DetectorHelp");
  return (
    <div className="page">
      <div className="page-header">
        <div className="incident-title">
          <div className="crumbs">
            <Link {...to.triage()} className="link">Triage</Link>
            <span className="muted">Detector</span>
          </div>
          <h1>
            <Foreign text={detector} />
          </h1>
        </div>
        <div className="page-tools">
          <RangeControl />
        </div>
      </div>
      <Counts where={where} />
      <History where={where} />
      <div className="grid">
        <Values title="Devices it reported" of="Device" by="device" where={where} />
        <Values title="Techniques" of="Technique" by="technique" where={where} />
        <EntityIncidents
          text={textOfCondition(where)}
          none="The detector reported nothing in this period."
        />
        <DetectorHelp model={detector} />
      </div>
    </div>
  );
}

interface PartProps {
  where: Condition;
}

function useCounted(where: Condition, by: GroupField[], more: { buckets?: number; limit?: number } = {}) {
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  return useQuery(aggregate(tenant, { kind: "incidents", where, range, by, ...more }, session.csrf_token));
}

function Counts({ where }: PartProps) {
  const byStatus = useCounted(where, ["status"]);
  const byDevice = useCounted(where, ["device"], { limit: 100 });
  const of = (status: string) => byStatus.data?.groups.find(({ key }) => key[0] === status)?.total ?? 0;
  const total = byStatus.data?.total;
  const closed = of("resolved") + of("false_positive");
  const devices = byDevice.data?.groups.filter(({ key }) => key[0] !== null).length;
  const filter = textOfCondition(where);
  return (
    <div className="card entity-stats">
      <Stat
        name="Incidents"
        value={total === undefined
          ? ABSENT
          : <Link {...to.triage({ filter })} className="link">{formatExact(total)}</Link>}
        note="active in this period"
      />
      <Stat
        name="Open"
        value={total === undefined ? ABSENT : formatExact(of("open") + of("investigating"))}
      />
      <Stat
        name="False positives"
        value={total === undefined ? ABSENT : formatExact(of("false_positive"))}
        note={closed > 0
          ? `${formatShare(of("false_positive") / closed)} of ${formatExact(closed)} closed`
          : null}
      />
      <Stat
        name="Devices"
        value={devices === undefined
          ? ABSENT
          : byDevice.data?.since !== null || (byDevice.data?.groups.length ?? 0) === 100
          ? `${formatExact(devices)} or more`
          : formatExact(devices)}
      />
    </div>
  );
}

/** Its incidents by the time of their last activity. */
function History({ where }: PartProps) {
  const [, setRange] = useRange();
  const { data, error, refetch } = useCounted(where, ["severity"], { buckets: 100 });
  return (
    <Card title="Incidents over time" note="by last activity">
      <ChartSlot height={HEIGHT}>
        {data
          ? <Bars data={data} onBrush={setRange} />
          : error
          ? <ErrorState what="The history" error={error} retry={() => void refetch()} />
          : <ChartSkeleton />}
      </ChartSlot>
    </Card>
  );
}

function Bars(
  { data: { window, starts, step, groups }, onBrush }: {
    data: Summed;
    onBrush: ReturnType<typeof useRange>[1];
  },
) {
  return (
    <TimeSeries
      label="Incidents over time"
      window={window ?? { from: EVER, to: EVER }}
      starts={starts}
      step={step}
      shape="bars"
      unit={INCIDENTS}
      height={HEIGHT}
      onBrush={onBrush}
      series={SEVERITY_ORDER.flatMap((severity) => {
        const values = groups.find(({ key }) => key[0] === severity)?.values;
        return values === undefined
          ? []
          : [{ id: severity, label: formatLabel(severity), colour: severity, values }];
      })}
    />
  );
}

interface ValuesProps extends PartProps {
  title: string;
  of: string;
  by: "device" | "technique";
}

function Values({ title, of, by, where }: ValuesProps) {
  const nameOf = useDeviceName();
  const { data, error, isPending, refetch } = useCounted(where, [by], { limit: ROOM });
  const rows = data?.groups.flatMap(({ key: [value = null], total }) =>
    value === null ? [] : [{
      key: value,
      name: by === "device"
        ? <EntityChip kind="device" value={value} label={nameOf(value)} />
        : <EntityChip kind="technique" value={value} label={techniqueLabel(value)} />,
      value: total,
    }]
  ) ?? [];
  return (
    <Card title={title}>
      <ChartSlot height={ROOM * BAR_HEIGHT} legend={false}>
        {isPending
          ? <ChartSkeleton />
          : error && !data
          ? <ErrorState what={title} error={error} retry={() => void refetch()} />
          : <BarList label={title} of={of} rows={rows} unit={INCIDENTS} room={ROOM} total={data?.total} />}
      </ChartSlot>
    </Card>
  );
}
