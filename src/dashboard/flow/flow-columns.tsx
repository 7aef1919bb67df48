import type { ReactNode } from "react";
import type { FieldName } from "../../contract/filter/fields.ts";
import type { Flow, FlowOrder } from "../../contract/flow/flow.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
import { kindOfField } from "../entity/entity-kinds.ts";
import { ABSENT, formatBytes, formatExact, formatSpan } from "../ui/format.ts";
import { downFirst, type GridColumn, upFirst } from "../ui/grid/grid-column.ts";
import { visibleText } from "../ui/json-text.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Time } from "../ui/time/time.tsx";
import type { ExploreView } from "./explore-views.ts";
import { type FactsOf, factsOf } from "./flow-facts.ts";
import { Endpoint, ServerName, Service, SourceChips } from "./flow-parts.tsx";
import { Bytes, Packets } from "../ui/counter.tsx";

type FlowColumn = GridColumn<Flow>;
/** Only orders that the server has. */
const up = upFirst<FlowOrder>;
const down = downFirst<FlowOrder>;

const START: FlowColumn = {
  id: "start",
  header: "Start",
  width: 132,
  sort: down("start"),
  cell: ({ start }) => <Time at={start} />,
};
const SOURCE: FlowColumn = {
  id: "src",
  header: "Source",
  width: 176,
  sort: up("src.device"),
  grow: 3,
  oneLine: true,
  cell: ({ src, primary_evidence }) => <Endpoint end={src} side="src" origin={primary_evidence} />,
};
const DESTINATION: FlowColumn = {
  id: "dst",
  header: "Destination",
  // `204.45.139.119:9001 US`
  width: 200,
  sort: up("dst.device"),
  grow: 3,
  oneLine: true,
  cell: ({ dst, intel, primary_evidence }) => (
    <Endpoint end={dst} side="dst" origin={primary_evidence} intel={intel} />
  ),
};
const NAME: FlowColumn = {
  id: "name",
  header: "Server name",
  width: 130,
  sort: up("server_name"),
  grow: 3,
  cell: (flow) => <ServerName flow={flow} />,
};
const SERVICE: FlowColumn = {
  id: "service",
  header: "Service",
  width: 104,
  sort: up("service"),
  cell: (flow) => <Service flow={flow} />,
};
const DURATION: FlowColumn = {
  id: "duration",
  header: "Duration",
  // `23 h 59 min`
  width: 100,
  sort: down("duration"),
  align: "end",
  cell: ({ start, end }) => <span className="soft">{formatSpan(Date.parse(end) - Date.parse(start))}</span>,
};
const SENT: FlowColumn = {
  id: "sent",
  header: "Sent",
  width: 76,
  sort: down("src.bytes"),
  align: "end",
  cell: ({ counters }) => <Bytes value={counters.src_to_dst.bytes} />,
};
const RECEIVED: FlowColumn = {
  id: "received",
  header: "Received",
  width: 92,
  sort: down("dst.bytes"),
  align: "end",
  cell: ({ counters }) => <Bytes value={counters.dst_to_src.bytes} />,
};

type Counter = Flow["counters"]["src_to_dst"]["bytes"];

/** A counter of both directions, as the server sorts by it: null only if neither was measured. */
function bothWays(one: Counter, other: Counter): Counter {
  if (one === null && other === null) return null;
  return Number.isSafeInteger(Number(one) + Number(other))
    ? Number(one ?? 0) + Number(other ?? 0)
    : BigInt(one ?? 0) + BigInt(other ?? 0);
}

function country(side: "src" | "dst", header: string): FlowColumn {
  return {
    id: `${side}_country`,
    header,
    width: 150,
    sort: up(`${side}.country`),
    hidden: true,
    cell: ({ [side]: { geo } }) =>
      geo?.country ? <EntityChip kind="country" value={geo.country} field={`${side}.country`} /> : ABSENT,
  };
}

/** Columns that every view offers, hidden until they are chosen. */
const FURTHER: FlowColumn[] = [
  {
    id: "bytes",
    header: "Bytes both ways",
    width: 136,
    align: "end",
    sort: down("bytes"),
    hidden: true,
    cell: ({ counters: { src_to_dst, dst_to_src } }) => (
      <Bytes value={bothWays(src_to_dst.bytes, dst_to_src.bytes)} />
    ),
  },
  {
    id: "packets",
    header: "Packets both ways",
    width: 150,
    align: "end",
    sort: down("packets"),
    hidden: true,
    cell: ({ counters: { src_to_dst, dst_to_src } }) => (
      <Packets value={bothWays(src_to_dst.packets, dst_to_src.packets)} />
    ),
  },
  {
    id: "packets_sent",
    header: "Packets sent",
    width: 120,
    sort: down("src.packets"),
    align: "end",
    hidden: true,
    cell: ({ counters }) => <Packets value={counters.src_to_dst.packets} />,
  },
  {
    id: "packets_received",
    header: "Packets received",
    width: 150,
    sort: down("dst.packets"),
    align: "end",
    hidden: true,
    cell: ({ counters }) => <Packets value={counters.dst_to_src.packets} />,
  },
  {
    id: "vlan",
    header: "VLAN",
    width: 80,
    sort: up("vlan"),
    hidden: true,
    cell: ({ vlan_id }) => vlan_id === null ? ABSENT : <EntityChip kind="vlan" value={vlan_id} />,
  },
  country("src", "Source country"),
  country("dst", "Destination country"),
  {
    id: "network",
    header: "Destination network",
    width: 180,
    sort: up("dst.asn"),
    grow: 1,
    hidden: true,
    cell: ({ dst: { geo } }) =>
      geo?.asn
        ? <EntityChip kind="asn" value={geo.asn} label={geo.as_organisation ?? undefined} field="dst.asn" />
        : ABSENT,
  },
  {
    id: "community_id",
    header: "Community ID",
    width: 260,
    sort: up("community_id"),
    hidden: true,
    cell: ({ community_id }) =>
      community_id === null
        ? ABSENT
        : <EntityChip kind="value" value={community_id} field="community_id" className="mono" />,
  },
  {
    id: "observations",
    header: "Observations",
    width: 124,
    sort: down("observations"),
    align: "end",
    hidden: true,
    cell: ({ observation_count }) => formatExact(observation_count),
  },
];

const SENSORS: FlowColumn = {
  id: "sensors",
  header: "Sensors",
  width: 110,
  sort: up("source"),
  grow: 1,
  cell: ({ sources }) => <SourceChips sources={sources} />,
};

/** A value of facts, which a search can filter for. */
function Fact({ field, value }: { field?: FieldName; value: string | number | null }) {
  if (value === null || value === "") return <span className="muted">{ABSENT}</span>;
  if (field === undefined) return <Foreign text={String(value)} />;
  return <EntityChip kind={kindOfField(field)} value={value} field={field} />;
}

type FactType = "dns" | "alert" | "tls" | "http";

interface FactCellProps<T extends FactType> {
  flow: Flow;
  type: T;
  show: (facts: FactsOf<T>) => ReactNode;
  /** Whether the cell counts the further facts of the flow. */
  counts: boolean;
}

/** A part of a flow's facts. */
function FactCell<T extends FactType>({ flow, type, show, counts }: FactCellProps<T>) {
  const facts = factsOf(flow.facts, type);
  // The rows of another view, until those of this one have arrived.
  if (facts === undefined) return <span className="muted" aria-busy="true">…</span>;
  const [first] = facts;
  if (first === undefined) return <span className="muted">{ABSENT}</span>;
  return (
    <>
      {show(first)}
      {counts && facts.length > 1 && (
        <span className="grid-more" title="Open the row for the others">
          +{facts.length - 1}
        </span>
      )}
    </>
  );
}

interface FactColumn<T extends FactType> extends Omit<FlowColumn, "cell"> {
  show: (facts: FactsOf<T>) => ReactNode;
}

/** Columns of facts; the first one says how many others there are. */
function factColumns<T extends FactType>(type: T, columns: FactColumn<T>[]): FlowColumn[] {
  return columns.map(({ show, ...column }, at) => ({
    ...column,
    cell: (flow) => <FactCell flow={flow} type={type} show={show} counts={at === 0} />,
  }));
}

const ALERTS = factColumns("alert", [
  {
    id: "signature",
    header: "Signature",
    width: 260,
    sort: up("alert"),
    grow: 5,
    show: ({ signature }) => <Fact field="alert" value={signature} />,
  },
  {
    id: "category",
    header: "Category",
    width: 170,
    sort: up("alert.category"),
    grow: 2,
    show: ({ category }) => <Fact field="alert.category" value={category} />,
  },
  {
    id: "priority",
    header: "Priority",
    width: 92,
    sort: up("alert.priority"),
    align: "end",
    show: ({ priority }) => priority ?? ABSENT,
  },
  {
    id: "action",
    header: "Action",
    width: 86,
    sort: up("alert.action"),
    show: ({ action }) => <Fact value={action} />,
  },
  {
    id: "sid",
    header: "Rule",
    width: 96,
    sort: up("alert.id"),
    hidden: true,
    show: ({ sid }) => <Fact field="alert.id" value={sid} />,
  },
]);

const DNS = factColumns("dns", [
  {
    id: "query",
    header: "Question",
    width: 220,
    sort: up("dns.query"),
    grow: 4,
    show: ({ query }) => <Fact field="dns.query" value={query} />,
  },
  {
    id: "qtype",
    header: "Type",
    width: 80,
    sort: up("dns.type"),
    show: ({ qtype }) => <Fact field="dns.type" value={qtype} />,
  },
  {
    id: "rcode",
    header: "Result",
    width: 128,
    sort: up("dns.rcode"),
    show: ({ rcode, answered }) =>
      rcode === null && !answered
        ? <span className="muted">no answer seen</span>
        : <Fact field="dns.rcode" value={rcode} />,
  },
  {
    id: "answers",
    header: "Answers",
    width: 200,
    sort: up("dns.answer"),
    grow: 3,
    show: ({ answers: [first, ...others] }) => (
      <>
        <Fact field="dns.answer" value={first ?? null} />
        {others.length > 0 && (
          <span className="grid-more" title={visibleText(others.join(", "))}>+{others.length}</span>
        )}
      </>
    ),
  },
]);

const TLS = factColumns("tls", [
  {
    id: "server_name",
    header: "Server name",
    width: 180,
    sort: up("server_name"),
    grow: 4,
    show: ({ server_name }) => <Fact field="server_name" value={server_name} />,
  },
  {
    id: "version",
    header: "Version",
    width: 90,
    sort: up("tls.version"),
    show: ({ version }) => <Fact field="tls.version" value={version} />,
  },
  {
    id: "ja4",
    header: "JA4",
    width: 100,
    sort: up("ja4"),
    grow: 2,
    show: ({ ja4 }) => <Fact field="ja4" value={ja4} />,
  },
  {
    id: "ja3",
    header: "JA3",
    width: 100,
    sort: up("ja3"),
    grow: 2,
    show: ({ ja3 }) => <Fact field="ja3" value={ja3} />,
  },
  {
    id: "subject",
    header: "Certificate",
    width: 160,
    sort: up("certificate.subject"),
    grow: 3,
    show: ({ subject }) => <Fact field="certificate.subject" value={subject} />,
  },
  {
    id: "issuer",
    header: "Issuer",
    width: 180,
    sort: up("certificate.issuer"),
    grow: 2,
    hidden: true,
    show: ({ issuer }) => <Fact field="certificate.issuer" value={issuer} />,
  },
  {
    id: "fingerprint",
    header: "Certificate fingerprint",
    width: 200,
    sort: up("certificate"),
    hidden: true,
    show: ({ fingerprint }) => <Fact field="certificate" value={fingerprint} />,
  },
]);

const HTTP = factColumns("http", [
  {
    id: "host",
    header: "Host",
    width: 150,
    sort: up("http.host"),
    grow: 3,
    show: ({ host }) => <Fact field="http.host" value={host} />,
  },
  {
    id: "method",
    header: "Method",
    width: 88,
    sort: up("http.method"),
    show: ({ method }) => <Fact field="http.method" value={method} />,
  },
  {
    id: "path",
    header: "Path",
    width: 150,
    sort: up("http.path"),
    grow: 4,
    show: ({ uri }) => <Fact field="http.path" value={uri} />,
  },
  {
    id: "status",
    header: "Status",
    width: 80,
    sort: up("http.status"),
    align: "end",
    show: ({ status }) => <Fact field="http.status" value={status} />,
  },
  {
    id: "user_agent",
    header: "User agent",
    width: 150,
    sort: up("user_agent"),
    grow: 3,
    show: ({ user_agent }) => <Fact field="user_agent" value={user_agent} />,
  },
  {
    id: "body",
    header: "Response body",
    width: 130,
    sort: down("http.bytes"),
    align: "end",
    hidden: true,
    show: ({ response_bytes }) => response_bytes === null ? ABSENT : formatBytes(response_bytes),
  },
]);

const hidden = (column: FlowColumn): FlowColumn => ({ ...column, hidden: true });
const TRAFFIC = [
  hidden(SERVICE),
  hidden(SENT),
  hidden(RECEIVED),
  hidden(DURATION),
  hidden(SENSORS),
  ...FURTHER,
];

export const FLOW_COLUMNS: Readonly<Record<ExploreView, readonly FlowColumn[]>> = {
  flows: [START, SOURCE, DESTINATION, NAME, SERVICE, SENT, RECEIVED, DURATION, SENSORS, ...FURTHER],
  alerts: [START, ...ALERTS, SOURCE, DESTINATION, hidden(NAME), ...TRAFFIC],
  dns: [START, SOURCE, ...DNS, DESTINATION, ...TRAFFIC],
  tls: [START, SOURCE, ...TLS, DESTINATION, ...TRAFFIC],
  http: [START, SOURCE, ...HTTP, DESTINATION, hidden(NAME), ...TRAFFIC],
};
