import { useQuery } from "@tanstack/react-query";
import type { GroupField } from "../../../contract/filter/aggregate.ts";
import { useSignedIn } from "../../base/session.ts";
import { aggregate } from "../../search/search-queries.ts";
import { BAR_HEIGHT, BarList } from "../../ui/chart/bar-list.tsx";
import { ChartSkeleton, ChartSlot } from "../../ui/chart/chart-slot.tsx";
import { FLOWS } from "../../ui/chart/unit.ts";
import { EntityChip } from "../../entity/entity-chip.tsx";
import { type Entity, type EntityKind, kindOfField } from "../../entity/entity-kinds.ts";
import { useDeviceName } from "../../base/devices.ts";
import { Card } from "../../ui/page.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { useRange } from "../../ui/time/range-control.tsx";

type Ranked = readonly [title: string, of: string, field: GroupField];

const DEVICES: Ranked = ["Devices that touched it", "Device", "device"];
const PORTS: Ranked = ["Ports", "Port", "dst.port"];
const SERVICES: Ranked = ["Services", "Service", "service"];
const NAMES: Ranked = ["Server names", "Name", "server_name"];
const SERVERS: Ranked = ["Destinations", "Address", "dst.ip"];
const CLIENTS: Ranked = ["Sources", "Address", "src.ip"];
const ANSWERS: Ranked = ["Resolved to", "Answer", "dns.answer"];

const RANKED: Partial<Record<EntityKind, readonly Ranked[]>> = {
  address: [DEVICES, NAMES, PORTS, SERVICES],
  domain: [DEVICES, ANSWERS, SERVERS, SERVICES],
  fingerprint: [DEVICES, NAMES, SERVERS],
  signature: [DEVICES, CLIENTS, SERVERS, PORTS],
};

const ROOM = 5;

/** The most frequent values in the flows of an entity. */
export function EntityValues({ entity, text }: { entity: Entity; text: string }) {
  return RANKED[entity.kind]?.map((ranked) => <Values key={ranked[2]} ranked={ranked} text={text} />);
}

function Values({ ranked: [title, of, field], text }: { ranked: Ranked; text: string }) {
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  const nameOf = useDeviceName();
  const { data, error, isPending, refetch } = useQuery(
    aggregate(tenant, { kind: "flows", text, range, groupBy: [field], limit: ROOM }, session.csrf_token),
  );
  const rows = data?.groups.flatMap(({ key: [value = null], total }) => {
    if (value === null) return [];
    const name = field === "device"
      ? <EntityChip kind="device" value={value} label={nameOf(value)} />
      : (
        <EntityChip
          kind={field === "dns.answer" ? answerKind(value) : kindOfField(field)}
          value={value}
          field={field}
        />
      );
    return [{ key: value, name, value: Number(total) }];
  }) ?? [];
  return (
    <Card title={title}>
      <ChartSlot height={ROOM * BAR_HEIGHT} legend={false}>
        {isPending
          ? <ChartSkeleton />
          : error && !data
          ? <ErrorState what={title} error={error} retry={() => void refetch()} />
          : <BarList label={title} of={of} rows={rows} unit={FLOWS} room={ROOM} />}
      </ChartSlot>
    </Card>
  );
}

/** A DNS answer is an address or a name. */
function answerKind(value: string): EntityKind {
  return /^[0-9.]+$|:/.test(value) ? "address" : "domain";
}
