import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { Device } from "../../contract/device/device.ts";
import type { Aggregate } from "../../contract/search/search.ts";
import { call } from "../base/api.ts";
import { useSignedIn } from "../base/session.ts";
import { ChartSkeleton, ChartSlot } from "../ui/chart/chart-slot.tsx";
import { TimeSeries } from "../ui/chart/time-series.tsx";
import { ErrorState } from "../ui/states.tsx";
import { Card } from "../ui/page.tsx";
import { useRange } from "../ui/time/range-control.tsx";
import { type Range, rangeKey, windowOf } from "../base/time/range.ts";
import { BASELINE_DAYS, baselineOf, baselinePlan, LEAST_DAYS } from "./baseline.ts";

const HEIGHT = 190;
const LIVE = 15_000;

interface Traffic {
  starts: number[];
  step: number;
  window: { from: string; to: string };
  values: number[];
  before: { start: number; value: number }[];
}

const traffic = (tenant: string, device: string, range: Range, csrf: string) =>
  queryOptions({
    queryKey: [tenant, "device-traffic", device, rangeKey(range)],
    queryFn: async ({ signal }): Promise<Traffic> => {
      const asked = windowOf(range, Date.now());
      const { bucket, step, shown, before } = baselinePlan({
        from: Date.parse(asked.from),
        to: Date.parse(asked.to),
      });
      const text = ({ from, to }: { from: number; to: number }) => ({
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
      });
      const read = (window: { from: string; to: string }) =>
        call("aggregateSearch", {
          body: {
            filter: {
              version: 1,
              kind: "flows",
              where: { field: "device.id", op: "matches", value: device },
              window,
            },
            bucket,
            measure: "bytes",
          },
          csrf,
          signal,
        });
      const [now, past] = await Promise.all([read(text(shown)), read(text(before))]);
      const values = (found: Aggregate) =>
        found.buckets.map((at, index) => ({
          start: Date.parse(at),
          value: Number(found.groups[0]?.values[index] ?? 0),
        }));
      return {
        starts: now.buckets.map((at) => Date.parse(at)),
        step,
        window: text(shown),
        values: values(now).map(({ value }) => value),
        before: values(past),
      };
    },
    placeholderData: keepPreviousData,
    refetchInterval: 4 * LIVE,
  });

/** Bytes over time beside what the device usually moves at that time of day. */
export function DeviceTraffic({ device }: { device: Device }) {
  const { tenant, session } = useSignedIn();
  const [range, setRange] = useRange();
  const { data, error, isPending, refetch } = useQuery(
    traffic(tenant, device.device_id, range, session.csrf_token),
  );
  // Before its first traffic it was not known, or its flows are no longer retained.
  const first = data?.before.find(({ value }) => value > 0)?.start ?? Infinity;
  const usual = data && baselineOf(data.starts, data.before, Math.max(first, Date.parse(device.first_seen)));
  const known = usual?.some((value) => value !== null) ?? false;
  return (
    <Card title="Traffic" note="bytes of flows by their start, both directions">
      <ChartSlot height={HEIGHT}>
        {data && usual
          ? (
            <TimeSeries
              label="Traffic of this device against its baseline, in bytes"
              window={data.window}
              starts={data.starts}
              step={data.step}
              shape="areas"
              unit="bytes"
              height={HEIGHT}
              onBrush={setRange}
              series={[
                { id: "traffic", label: "Traffic", colour: "cat-1", values: data.values },
                ...known
                  ? [{
                    id: "baseline",
                    label: "Baseline",
                    colour: "cat-3" as const,
                    values: usual,
                    line: true,
                  }]
                  : [],
              ]}
            />
          )
          : isPending
          ? <ChartSkeleton />
          : <ErrorState what="The traffic" error={error} retry={() => void refetch()} />}
      </ChartSlot>
      <p className="traffic-note muted small">
        {data === undefined || known
          ? `Baseline: the median of the same time of day on the ${BASELINE_DAYS} days before the range shown.`
          : `No baseline: fewer than ${LEAST_DAYS} of the ${BASELINE_DAYS} days before the range shown have traffic of it.`}
      </p>
    </Card>
  );
}
