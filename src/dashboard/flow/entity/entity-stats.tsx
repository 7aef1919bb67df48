import { useQuery } from "@tanstack/react-query";
import type { Flow } from "../../../contract/flow/flow.ts";
import { Link } from "@tanstack/react-router";
import { to } from "../../base/links.ts";
import { useSignedIn } from "../../base/session.ts";
import { wholePlace } from "../../entity/intel/place.ts";
import { aggregate } from "../../search/search-queries.ts";
import { EntityChip } from "../../entity/entity-chip.tsx";
import type { Entity } from "../../entity/entity-kinds.ts";
import { usePivotWindow } from "../../entity/entity-scope.ts";
import { ABSENT, formatExact, formatShare } from "../../ui/format.ts";
import { visibleText } from "../../ui/json-text.ts";
import { useDeviceName } from "../../base/devices.ts";
import { Stat } from "../../ui/stat.tsx";
import { Time } from "../../ui/time/time.tsx";
import { useRange } from "../../ui/time/range-control.tsx";
import { firstBucket, firstSeen } from "./entity-queries.ts";

interface EntityStatsProps {
  entity: Entity;
  text: string;
  /** The newest flow, once it is known. */
  newest: Flow | undefined;
}

/** How much, how widely and when a value was seen in the time range. */
export function EntityStats({ entity, text, newest }: EntityStatsProps) {
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  const nameOf = useDeviceName();
  const scope = usePivotWindow();
  const asked = { kind: "flows", text, range } as const;
  const csrf = session.csrf_token;
  const overTime = useQuery(aggregate(tenant, { ...asked, groupBy: ["direction"], bucket: "auto" }, csrf));
  const touched = useQuery(aggregate(tenant, { ...asked, measure: "devices" }, csrf));
  const known = useQuery(aggregate(tenant, { kind: "devices", text: "", range: null }, csrf));
  const span = overTime.data ? firstBucket(overTime.data) : null;
  const first = useQuery({
    ...firstSeen(tenant, text, span ?? { from: "", to: "" }),
    enabled: span !== null,
  });
  const total = overTime.data?.groups.reduce((sum, group) => sum + Number(group.total), 0);
  const devices = touched.data && Number(touched.data.groups[0]?.total ?? 0);
  const all = known.data && Number(known.data.groups[0]?.total ?? 0);
  const end = [newest?.src, newest?.dst].find((one) => one?.ip === entity.value);
  const place = end?.geo && end.device_id === null ? wholePlace(end.geo) : "";
  return (
    <div className="card entity-stats">
      <Stat
        name="Flows"
        value={total === undefined
          ? ABSENT
          : <Link {...to.explore({ filter: text, scope })} className="link">{formatExact(total)}</Link>}
      />
      <Stat
        name="Devices"
        value={devices === undefined ? ABSENT : formatExact(devices)}
        note={devices !== undefined && all !== undefined && all > 0
          ? `of ${formatExact(all)} (${formatShare(devices / all)})`
          : null}
      />
      <Stat
        name="First seen"
        value={span === null || first.data === undefined ? ABSENT : <Time at={first.data.at} />}
        note={first.data && !first.data.exact && span !== null ? "or shortly after" : null}
      />
      <Stat name="Last seen" value={newest === undefined ? ABSENT : <Time at={newest.start} />} />
      {entity.kind === "address" && (
        <>
          <Stat
            name="Address of"
            value={end?.device_id
              ? <EntityChip kind="device" value={end.device_id} label={nameOf(end.device_id)} />
              : ABSENT}
          />
          <Stat
            name="Location"
            value={place === "" ? ABSENT : <span title={visibleText(place)}>{place}</span>}
          />
        </>
      )}
    </div>
  );
}
