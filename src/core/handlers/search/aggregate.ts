import { bucketSize, GROUP_FIELDS, type GroupField } from "../../../contract/filter/aggregate.ts";
import type { Filter } from "../../../contract/filter/tree.ts";
import { AGGREGATE_LIMITS } from "../../../contract/filter/aggregate.ts";
import { type Aggregate, BUCKETS } from "../../../contract/search/search.ts";
import { formatMillis } from "../../../kit/time.ts";
import { aggregateTraffic } from "../../../store/graph/traffic-aggregate.ts";
import { aggregate, type AggregateResult, type Bucket } from "../../../store/search/aggregate.ts";
import { fieldError } from "../../field-error.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { planOf } from "./plan.ts";
import { windowView } from "./search.ts";
import { searching } from "../../search/searching.ts";

export function aggregateHandlers(deps: HandlerDeps): Pick<Handlers, "aggregateSearch"> {
  return {
    async aggregateSearch({ caller, body, now }) {
      const { tenantId } = caller;
      const filter: Filter = body.filter;
      const by = groupFields(filter.kind, body.group_by);
      const { measure, limit: top, suppressed } = body;
      const plan = {
        ...planOf(deps, caller, filter, now),
        suppressed: suppressed === undefined ? undefined : { is: suppressed, at: now },
      };
      if (filter.kind !== "flows" && measure !== "count") {
        throw fieldError("measure", `expected count: ${filter.kind} have no ${measure}`);
      }
      const bucket = body.bucket === null ? null : bucketOf(body.bucket, plan.window);
      const result = await searching(
        deps.db,
        tenantId,
        async (tx) =>
          await aggregateTraffic(tx, tenantId, plan, { by, measure, top, bucket }) ??
            await aggregate(tx, tenantId, plan, { by, measure, top, bucket }),
      );
      return { data: view(result, plan.window, bucket) };
    },
  };
}

function groupFields(kind: Filter["kind"], fields: readonly string[]): GroupField[] {
  const allowed: readonly string[] = GROUP_FIELDS[kind];
  const wrong = fields.findIndex((field) => !allowed.includes(field));
  if (wrong >= 0) {
    throw fieldError(`group_by[${wrong}]`, `expected a field of ${kind}: ${allowed.join(", ")}`);
  }
  const again = fields.findIndex((field, index) => fields.indexOf(field) !== index);
  if (again >= 0) throw fieldError(`group_by[${again}]`, "expected another field than the first");
  return fields as GroupField[];
}

function bucketOf(name: keyof typeof BUCKETS | "auto", window: { from: number; to: number } | null): number {
  if (window === null) throw fieldError("bucket", "expected null, or a window in the filter");
  if (name === "auto") return bucketSize(window, { most: 100 });
  const size = BUCKETS[name];
  const most = AGGREGATE_LIMITS.buckets;
  if (Math.ceil(window.to / size) - Math.floor(window.from / size) > most) {
    throw fieldError("bucket", `expected longer buckets: at most ${most} fit into the answer`);
  }
  return size;
}

function view(
  { groups, other, complete, examinedUntil }: AggregateResult,
  window: { from: number; to: number } | null,
  bucket: number | null,
): Aggregate {
  const starts = bucket === null || window === null ? [] : startsOf(window, bucket);
  const values = (buckets: readonly Bucket[]) => {
    const byStart = new Map(buckets.map(({ at, value }) => [at, value]));
    return starts.map((at) => byStart.get(at) ?? 0);
  };
  return {
    window: windowView(window),
    buckets: starts.map(formatMillis),
    groups: groups.map(({ keys, value, buckets }) => ({ key: keys, total: value, values: values(buckets) })),
    other: other && { total: other.value, values: values(other.buckets) },
    complete,
    examined_from: examinedUntil === null ? null : formatMillis(examinedUntil),
    warnings: complete ? [] : [
      `Only what is newer than ${formatMillis(examinedUntil!)} was examined; choose a shorter window.`,
    ],
  };
}

function startsOf({ from, to }: { from: number; to: number }, bucket: number): number[] {
  const first = Math.floor(from / bucket) * bucket;
  return Array.from({ length: Math.ceil((to - first) / bucket) }, (_, at) => first + at * bucket);
}
