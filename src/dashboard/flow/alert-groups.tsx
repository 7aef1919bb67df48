import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Condition } from "../../contract/filter/tree.ts";
import { comparisonOf } from "../base/comparison.ts";
import { addCondition } from "../base/filter-text.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
import { EmptyWindow } from "../entity/empty-window.tsx";
import { usePivotWindow } from "../entity/entity-scope.ts";
import { aggregate } from "../search/search-queries.ts";
import { SmallBars } from "../ui/small-bars/small-bars.tsx";
import { formatExact, plural } from "../ui/format.ts";
import { Card } from "../ui/page.tsx";
import { ErrorState, SkeletonRows } from "../ui/states.tsx";
import { TableBox } from "../ui/table.tsx";
import { useRange } from "../ui/time/range-control.tsx";
import { Time } from "../ui/time/time.tsx";

/** The most that an aggregate returns. */
const MOST = 100;
const BY = ["alert", "src.ip", "dst.ip"] as const;

interface AlertGroupsProps {
  /** The filter, including that of the view. */
  text: string;
  /** The filter of the query bar. */
  own: string;
  clear: () => void;
}

/** What finds the flows of a group. */
function conditionsOf(key: readonly (string | null)[]): Condition[] {
  return BY.flatMap((field, at) => {
    const value = key[at] ?? null;
    const condition = value === null ? null : comparisonOf(field, value);
    return condition === null ? [] : [condition];
  });
}

/** Alerts of one signature between one pair of addresses as one row, the most frequent first; the count opens them. */
export function AlertGroups({ text, own, clear }: AlertGroupsProps) {
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  const scope = usePivotWindow();
  const { data, error, isPending, refetch } = useQuery(
    aggregate(
      tenant,
      { kind: "flows", text, range, groupBy: BY, bucket: "auto", limit: MOST },
      session.csrf_token,
    ),
  );
  const ends = ({ values }: { values: readonly (number | bigint)[] }) => {
    const counted = values.map((value) => Number(value) > 0);
    return { first: data?.buckets[counted.indexOf(true)], last: data?.buckets[counted.lastIndexOf(true)] };
  };
  const groups = data?.groups ?? [];
  return (
    <Card
      title="Alerts by signature and pair"
      note={data && (data.other === null ? plural(groups.length, "group") : `the ${MOST} most frequent`)}
      flush
    >
      {error && !data
        ? <ErrorState what="The groups" error={error} retry={() => void refetch()} />
        : isPending
        ? <SkeletonRows rows={8} />
        : groups.length === 0
        ? <EmptyWindow what="flows with alerts" filtered={own !== ""} clear={clear} />
        : (
          <TableBox
            label="Alerts by signature and pair"
            head={
              <>
                <th scope="col">Signature</th>
                <th scope="col">Source</th>
                <th scope="col">Destination</th>
                <th scope="col" className="widest-only">Over time</th>
                <th scope="col" className="number">Flows</th>
                <th scope="col" className="wide-only">First after</th>
                <th scope="col" className="wide-only">Last after</th>
              </>
            }
          >
            {groups.map((group) => {
              const { key: [signature = null, src = null, dst = null], total, values } = group;
              const { first, last } = ends(group);
              const filter = conditionsOf(group.key).reduce(addCondition, own);
              return (
                <tr key={JSON.stringify(group.key)}>
                  <td className="alert-signature entity-wrap">
                    {signature !== null && <EntityChip kind="signature" value={signature} field="alert" />}
                  </td>
                  <td>
                    {src === null ? "not stated" : <EntityChip kind="address" value={src} field="src.ip" />}
                  </td>
                  <td>
                    {dst === null ? "not stated" : <EntityChip kind="address" value={dst} field="dst.ip" />}
                  </td>
                  <td className="widest-only">
                    <SmallBars values={values.map(Number)} />
                  </td>
                  <td className="number">
                    <Link
                      {...to.explore({ filter, view: "alerts", scope })}
                      className="link"
                      title="Show these flows"
                    >
                      {formatExact(total)}
                    </Link>
                  </td>
                  <td className="wide-only">{first !== undefined && <Time at={first} short />}</td>
                  <td className="wide-only">{last !== undefined && <Time at={last} short />}</td>
                </tr>
              );
            })}
          </TableBox>
        )}
      {data !== undefined && data.other !== null && (
        <p className="card-text muted">
          {plural(Number(data.other.total), "further flow")}{" "}
          with rarer signatures or pairs: narrow the filter to see them.
        </p>
      )}
    </Card>
  );
}
