import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { aggregate } from "../search/aggregates.ts";
import { HeatMap } from "../ui/chart/heat-map.tsx";
import { columnsOf } from "../ui/chart/heat-columns.ts";
import { FLOWS, formatAmount } from "../ui/chart/unit.ts";
import { useZone } from "../base/time/zone.ts";
import { Foreign } from "../ui/foreign.tsx";
import { useDeviceName } from "../base/devices.ts";
import { rangePhrase, useRange } from "../ui/time/range-control.tsx";
import { ChartCard } from "./chart-card.tsx";
import { visibleText } from "../ui/json-text.ts";

const ROOM = 10;
const HEIGHT = 22 + ROOM * 24 + 24;

/** Flows of the busiest devices by hour. */
export function DeviceHeat() {
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  const zone = useZone();
  const navigate = useNavigate();
  const nameOf = useDeviceName();
  const query = useQuery(aggregate(tenant, {
    kind: "flows",
    // Flows without a device of the site would be one more row.
    where: { not: { field: "direction", op: "matches", value: "external" } },
    range,
    by: ["device"],
    // At 1440 pixels a cell is 24 pixels wide.
    buckets: 32,
    limit: ROOM + 1,
  }, session.csrf_token));
  return (
    <ChartCard
      title="Devices by time"
      note={`flows of the ${ROOM} busiest, ${rangePhrase(range)}`}
      className="span-2 overview-heat"
      height={HEIGHT}
      legend={false}
      query={query}
      emptyText={({ groups }) =>
        groups.some(({ key: [id] }) => typeof id === "string") ? null : "No flow of a device in this period."}
    >
      {({ starts, step, groups }) => {
        const rows = groups.flatMap(({ key: [id], values }) => {
          if (id === null || id === undefined) return [];
          const text = nameOf(id);
          return [{
            key: id,
            text,
            values,
            name: (
              <Link {...to.device(id)} title={visibleText(text)}>
                <Foreign text={text} />
              </Link>
            ),
          }];
        });
        return (
          <HeatMap
            label="Flows by device and time"
            of="Device"
            rows={rows.slice(0, ROOM)}
            columns={columnsOf(starts, step, zone)}
            format={(value) => formatAmount(FLOWS, value)}
            room={ROOM}
            onOpen={({ key }, column) =>
              void navigate(to.device(key, {
                from: new Date(starts[column]!).toISOString(),
                to: new Date(starts[column]! + step).toISOString(),
              }))}
          />
        );
      }}
    </ChartCard>
  );
}
