import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { countryName } from "../../contract/filter/countries.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { aggregate, type Summed } from "../search/aggregates.ts";
import { BarList } from "../ui/chart/bar-list.tsx";
import { rangePhrase, useRange } from "../ui/time/range-control.tsx";
import { ChartCard } from "./chart-card.tsx";

const ROOM = 7;
const ROW = 26;

interface PlacesProps {
  title: string;
  /** The head of the column of values. */
  of: string;
  field: "country" | "asn";
  name: (value: string) => string;
}

function knownOf(groups: Summed["groups"]): { value: string; total: number }[] {
  return groups.flatMap(({ key: [value], total }) =>
    value === null || value === undefined ? [] : [{ value, total }]
  );
}

/** The values with the most bytes, of either end of a flow. */
function Places({ title, of, field, name }: PlacesProps) {
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  const query = useQuery(aggregate(tenant, {
    kind: "flows",
    where: { field, op: "exists" },
    range,
    by: [field],
    measure: "bytes",
    limit: ROOM + 1,
  }, session.csrf_token));
  return (
    <ChartCard
      title={title}
      note={`by bytes, ${rangePhrase(range)}`}
      className="overview-places"
      height={ROOM * ROW}
      legend={false}
      query={query}
      emptyText={({ groups }) =>
        knownOf(groups).length > 0
          ? null
          : `No flow with a known ${of.toLowerCase()} in this period; a GeoIP database adds them.`}
    >
      {({ groups, other }) => {
        const known = knownOf(groups);
        return (
          <BarList
            label={`${title} by bytes`}
            of={of}
            unit="bytes"
            room={ROOM}
            colour={field === "country" ? "cat-1" : "cat-2"}
            total={known.reduce((sum, { total }) => sum + total, other?.total ?? 0)}
            rows={known.slice(0, ROOM).map(({ value, total }) => ({
              key: value,
              name: (
                <Link {...to.explore({ filter: `${field}:${value}` })} className="link" title={name(value)}>
                  {name(value)}
                </Link>
              ),
              value: total,
            }))}
          />
        );
      }}
    </ChartCard>
  );
}

export function Countries() {
  return <Places title="Countries" of="Country" field="country" name={countryName} />;
}

export function Networks() {
  return <Places title="Networks" of="Autonomous system" field="asn" name={(asn) => `AS${asn}`} />;
}
