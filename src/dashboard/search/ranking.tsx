import { useQuery } from "@tanstack/react-query";
import { FIELD_LABELS } from "../../contract/filter/describe.ts";
import { useSignedIn } from "../base/session.ts";
import { formatBytes, formatCount, formatExact, formatShare } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { ErrorState, SkeletonRows } from "../ui/states.tsx";
import { useRange } from "../ui/time/range-control.tsx";
import { comparisonOf } from "../base/comparison.ts";
import { addCondition, type Top } from "../base/filter-text.ts";
import { ranking } from "./search-queries.ts";
import type { ListFilter } from "./use-filter.ts";

type Amount = number | bigint;

function amountOf(measure: Top["measure"], amount: Amount): string {
  return measure === "bytes" ? formatBytes(amount) : formatCount(amount);
}

/** The values that a question asks to rank; each narrows the list to itself. */
export function Ranking({ filter, top }: { filter: ListFilter; top: Top }) {
  const { kind, text } = filter;
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  const asked = { kind, text, top, range: kind === "devices" ? null : range };
  const { data, error, isPending, refetch } = useQuery(ranking(tenant, asked, session.csrf_token));
  const field = top.field;
  const whole = top.measure === "bytes" ? "Bytes" : "Number";
  const title = field === null ? `${whole} of ${kind}` : `Top ${FIELD_LABELS[field]}`;
  const close = (
    <button type="button" className="button-icon" aria-label={`Close ${title}`} onClick={filter.closeTop}>
      <Icon name="close" />
    </button>
  );
  const groups = data?.groups ?? [];
  const total = groups.reduce((sum, group) => sum + Number(group.total), Number(data?.other?.total ?? 0));
  const most = Number(groups[0]?.total ?? 0);
  return (
    <Card title={title} note={top.measure === "bytes" ? "by bytes" : "by number"} action={close}>
      {isPending && <SkeletonRows rows={3} />}
      {error && <ErrorState what="The ranking" error={error} retry={() => void refetch()} />}
      {data && field === null && (
        <p className="ranking-total" title={formatExact(total)}>{amountOf(top.measure, total)}</p>
      )}
      {data && field !== null && groups.length === 0 && <p className="soft">Nothing in this period.</p>}
      {field !== null && groups.length > 0 && (
        <ol className="ranking">
          {groups.map(({ key: [value = null], total: amount }) => {
            const condition = value === null
              ? { not: { field, op: "exists" as const } }
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
                    ? <span className="soft">none</span>
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
