import { useQuery } from "@tanstack/react-query";
import { FIELD_LABELS } from "../../contract/filter/describe.ts";
import { FIELDS } from "../../contract/filter/fields.ts";
import { shownIp } from "../../kit/net/shown-ip.ts";
import { useSignedIn } from "../base/session.ts";
import { formatBytes, formatCount, formatExact, formatLabel, formatShare } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { ErrorState, SkeletonRows } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";
import { useRange } from "../ui/time/range-control.tsx";
import { comparisonOf } from "../base/comparison.ts";
import { addCondition, type Top } from "../base/filter-text.ts";
import { ranking } from "./search-queries.ts";
import type { ListFilter } from "./use-filter.ts";

/** What addresses that are not stated have in their place. */
const UNSTATED = ["0.0.0.0", "::"] as const;

type Amount = number | bigint;

function amountOf(measure: Top["measure"], amount: Amount): string {
  return measure.endsWith("bytes") ? formatBytes(amount) : formatCount(amount);
}

const MEASURE_NAMES: Record<Top["measure"], string> = {
  count: "number",
  bytes: "bytes",
  packets: "packets",
  "src.bytes": "bytes sent",
  "dst.bytes": "bytes received",
};
const BUCKET_NAMES = { "1h": "hour", "1d": "day" };

/** The values that a question asks to rank; each narrows the list to itself. */
export function Ranking({ filter, top }: { filter: ListFilter; top: Top }) {
  const { kind, text } = filter;
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  const asked = { kind, text, top, range: kind === "devices" ? null : range };
  const { data, error, isPending, refetch } = useQuery(ranking(tenant, asked, session.csrf_token));
  const field = top.field;
  const measured = MEASURE_NAMES[top.measure];
  const whole = `${formatLabel(measured)} of ${kind}`;
  const title = field !== null
    ? `Top ${FIELD_LABELS[field]}`
    : top.bucket === null
    ? whole
    : `${whole} per ${BUCKET_NAMES[top.bucket]}`;
  const close = (
    <button type="button" className="button-icon" aria-label={`Close ${title}`} onClick={filter.closeTop}>
      <Icon name="close" />
    </button>
  );
  const groups = data?.groups ?? [];
  const total = groups.reduce((sum, group) => sum + Number(group.total), Number(data?.other?.total ?? 0));
  const rows = top.bucket === null
    ? groups.map(({ key: [value = null], total: amount }) => ({ value, amount }))
    : data?.buckets.map((value, at) => ({ value, amount: groups[0]?.values[at] ?? 0 })) ?? [];
  const most = Math.max(0, ...rows.map(({ amount }) => Number(amount)));
  // Groups by address have one for those that are not stated.
  const isAddress = field !== null && FIELDS[field].type === "address";
  const isList = field !== null || top.bucket !== null;
  return (
    <Card title={title} note={`by ${measured}`} action={close}>
      {isPending && <SkeletonRows rows={3} />}
      {error && <ErrorState what="The ranking" error={error} retry={() => void refetch()} />}
      {data && !isList && (
        <p className="ranking-total" title={formatExact(total)}>{amountOf(top.measure, total)}</p>
      )}
      {data && isList && groups.length === 0 && <p className="soft">Nothing in this period.</p>}
      {isList && groups.length > 0 && (
        <ol className="ranking">
          {rows.map(({ value, amount }) => {
            const condition = field === null
              ? null
              : value === null
              ? isAddress
                ? { field, op: "matches" as const, value: [...UNSTATED] }
                : { not: { field, op: "exists" as const } }
              : comparisonOf(field, value);
            const share = total > 0 ? Number(amount) / total : 0;
            return (
              <li key={value ?? ""} className="ranking-row">
                <button
                  type="button"
                  className="ranking-value"
                  disabled={condition === null}
                  title="Filter for this value"
                  onClick={() => condition && filter.change(addCondition(text, condition))}
                >
                  {value === null
                    ? <span className="soft">{isAddress ? shownIp(UNSTATED[0]) : "none"}</span>
                    : field === null
                    ? <Time at={value} />
                    : <Foreign text={value} className="clip" />}
                </button>
                <svg
                  className="ranking-bar"
                  viewBox="0 0 100 6"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                >
                  <rect className="track" width="100" height="6" />
                  <rect
                    className="ranking-fill"
                    width={most > 0 ? 100 * Number(amount) / most : 0}
                    height="6"
                  />
                </svg>
                <span className="number" title={formatExact(amount)}>{amountOf(top.measure, amount)}</span>
                <span className="number muted">{formatShare(share)}</span>
              </li>
            );
          })}
        </ol>
      )}
      {data?.warnings.map((warning) => <p key={warning} className="notice notice-warning">{warning}</p>)}
    </Card>
  );
}
