import { useQuery } from "@tanstack/react-query";
import { FIELD_LABELS, type FieldName, FIELDS } from "../../contract/filter/fields.ts";
import { RANKING_MEASURES } from "../../contract/filter/aggregate.ts";
import type { Condition } from "../../contract/filter/tree.ts";
import { shownIp } from "../../kit/net/shown-ip.ts";
import { useSignedIn } from "../base/session.ts";
import { formatBytes, formatCount, formatExact, formatLabel, formatShare } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { InlineSelect } from "../ui/field/select-field.tsx";
import { visibleText } from "../ui/json-text.ts";
import { Card } from "../ui/page.tsx";
import { ErrorState, SkeletonRows } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";
import { useRange } from "../ui/time/range-control.tsx";
import { SmallBars } from "../ui/small-bars/small-bars.tsx";
import { useDeviceName } from "../base/devices.ts";
import { comparisonOf } from "../base/comparison.ts";
import { addCondition, type Top } from "../base/filter-text.ts";
import { ranking } from "./search-queries.ts";
import type { ListFilter } from "./use-filter.ts";
import "./ranking.css";

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

interface Row {
  value: string | null;
  amount: Amount;
  /** One per bucket; empty without. */
  values: number[];
}

/** The values that a question asks to rank; each narrows the list to itself, or is excluded from it. */
export function Ranking({ filter, top }: { filter: ListFilter; top: Top }) {
  const { kind, text } = filter;
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  const asked = { kind, text, top, range: kind === "devices" ? null : range };
  const { data, error, isPending, refetch } = useQuery(ranking(tenant, asked, session.csrf_token));
  const { field, measure } = top;
  const measured = MEASURE_NAMES[measure];
  const whole = `${formatLabel(measured)} of ${kind}`;
  const title = field !== null
    ? `Top ${FIELD_LABELS[field]}`
    : top.bucket === null
    ? whole
    : `${whole} per ${BUCKET_NAMES[top.bucket]}`;
  const action = (
    <span className="ranking-tools">
      {kind === "flows" && field !== null && (
        <InlineSelect
          label="Rank by"
          className="ranking-measure"
          value={measure}
          options={RANKING_MEASURES.map((one) => [one, `By ${MEASURE_NAMES[one]}`])}
          set={(next) => filter.rank({ ...top, measure: next })}
        />
      )}
      <button
        type="button"
        className="button-icon"
        aria-label={`Close ${title}`}
        onClick={() => filter.rank(null)}
      >
        <Icon name="close" />
      </button>
    </span>
  );
  const groups = data?.groups ?? [];
  const total = groups.reduce((sum, group) => sum + Number(group.total), Number(data?.other?.total ?? 0));
  const rows: Row[] = top.bucket === null
    ? groups.map(({ key: [value = null], total: amount, values }) => ({
      value,
      amount,
      values: values.map(Number),
    }))
    : data?.buckets.map((value, at) => ({ value, amount: groups[0]?.values[at] ?? 0, values: [] })) ?? [];
  const isList = field !== null || top.bucket !== null;
  const other = field === null ? 0 : Number(data?.other?.total ?? 0);
  return (
    <Card title={title} note={`by ${measured}`} action={action}>
      <div className={field === null ? undefined : "ranking-room"}>
        {isPending && <SkeletonRows rows={3} />}
        {error && <ErrorState what="The ranking" error={error} retry={() => void refetch()} />}
        {data && !isList && (
          <p className="ranking-total" title={formatExact(total)}>{amountOf(measure, total)}</p>
        )}
        {data && isList && groups.length === 0 && <p className="soft">Nothing in this period.</p>}
        {isList && groups.length > 0 && (
          <ol className={field === null ? "ranking" : "ranking ranking-share"}>
            {rows.map((row) => (
              <RankingRow
                key={row.value ?? ""}
                row={row}
                top={top}
                most={Math.max(0, ...rows.map(({ amount }) => Number(amount)))}
                total={total}
                add={(condition) => filter.change(addCondition(text, condition))}
              />
            ))}
          </ol>
        )}
        {other > 0 && (
          <p className="soft small">
            All other values: {amountOf(measure, other)} ({formatShare(total > 0 ? other / total : 0)})
          </p>
        )}
      </div>
      {data?.warnings.map((warning) => <p key={warning} className="notice notice-warning">{warning}</p>)}
    </Card>
  );
}

/** What finds a value of a ranking; null if the search language cannot express it. */
function conditionFor(field: Top["field"], value: string | null): Condition | null {
  if (field === null) return null;
  // Devices are grouped by their identifiers.
  if (value !== null) return comparisonOf(field === "device" ? "device.id" : field, value);
  // Groups by address have one for those that are not stated.
  return FIELDS[field].type === "address"
    ? { field, op: "matches", value: [...UNSTATED] }
    : { not: { field, op: "exists" } };
}

/** A value as chips show it. */
function shownValue(field: FieldName, value: string): string {
  if (field.endsWith("asn")) return `AS${value}`;
  return field.endsWith("vlan") ? `VLAN ${value}` : value;
}

interface RankingRowProps {
  row: Row;
  top: Top;
  /** The largest amount. */
  most: number;
  total: number;
  add: (condition: Condition) => void;
}

function RankingRow(
  { row: { value, amount, values }, top: { field, measure }, most, total, add }: RankingRowProps,
) {
  const nameOf = useDeviceName();
  const condition = conditionFor(field, value);
  const label = value === null
    ? field !== null && FIELDS[field].type === "address" ? shownIp(UNSTATED[0]) : "none"
    : field === null
    ? value
    : field === "device"
    ? nameOf(value)
    : shownValue(field, value);
  return (
    <li className="ranking-row">
      <button
        type="button"
        className="ranking-value"
        disabled={condition === null}
        title={condition === null ? undefined : `Filter for ${visibleText(label)}`}
        onClick={() => condition && add(condition)}
      >
        {value === null
          ? <span className="soft">{label}</span>
          : field === null
          ? <Time at={value} />
          : <Foreign text={label} className="clip" />}
      </button>
      {field !== null && (values.length > 1 ? <SmallBars values={values} /> : <span />)}
      <svg className="ranking-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className="track" width="100" height="6" />
        <rect className="ranking-fill" width={most > 0 ? 100 * Number(amount) / most : 0} height="6" />
      </svg>
      <span className="number" title={formatExact(amount)}>{amountOf(measure, amount)}</span>
      <span className="number muted">{formatShare(total > 0 ? Number(amount) / total : 0)}</span>
      {field !== null && (
        <button
          type="button"
          className="button-icon ranking-exclude"
          disabled={condition === null}
          title={`Exclude ${visibleText(label)}`}
          aria-label={`Exclude ${visibleText(label)}`}
          onClick={() => condition && add({ not: condition })}
        >
          <Icon name="minus" />
        </button>
      )}
    </li>
  );
}
