import { MAX_NAMES_OF_ADDRESS, MAX_OTHER_ANSWERS } from "../../domain/flow/dns-names.ts";
import type { Tx } from "../engine/database.ts";
import { fromInet } from "./flows.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows, relation } from "../engine/rows.ts";
import { prepared, sql } from "../engine/sql.ts";

/** A name that was resolved to an address for a client on a day. Times in microseconds. */
export interface DnsAnswer {
  clientIp: string;
  address: string;
  name: string;
  /** Start of the UTC day of the answers. */
  day: number;
  firstSeen: number;
  lastSeen: number;
  receivedAt: number;
  /** The first answer of the day. */
  evidenceId: string;
  flowId: string;
}

const ANSWER: Column<DnsAnswer>[] = [
  { name: "address", type: "inet", of: (answer) => answer.address },
  { name: "day", type: "timestamptz", of: (answer) => answer.day },
  { name: "client_ip", type: "inet", of: (answer) => answer.clientIp },
  { name: "name", type: "text", of: (answer) => answer.name },
  { name: "first_seen", type: "timestamptz", of: (answer) => answer.firstSeen },
  { name: "last_seen", type: "timestamptz", of: (answer) => answer.lastSeen },
  { name: "received_at", type: "timestamptz", of: (answer) => answer.receivedAt },
  { name: "evidence_id", type: "uuid", of: (answer) => answer.evidenceId },
  { name: "flow_id", type: "uuid", of: (answer) => answer.flowId },
];

/** Merges the answers into those of their days; each key at most once. */
export async function recordAnswers(tx: Tx, tenantId: string, answers: readonly DnsAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  await tx.run(sql`
    ${insertRows("dns_answer", tenantId, ANSWER, answers)}
    on conflict (tenant_id, address, day, client_ip, name) do update set
      first_seen = least(dns_answer.first_seen, excluded.first_seen),
      last_seen = greatest(dns_answer.last_seen, excluded.last_seen),
      received_at = greatest(dns_answer.received_at, excluded.received_at),
      evidence_id = case when excluded.first_seen < dns_answer.first_seen
        then excluded.evidence_id else dns_answer.evidence_id end,
      flow_id = case when excluded.first_seen < dns_answer.first_seen
        then excluded.flow_id else dns_answer.flow_id end`);
}

/** A lookup of the names that an address had for a client on a day. */
export interface AnswerLookUp {
  clientIp: string;
  address: string;
  day: number;
}

export type FoundAnswer = Pick<
  DnsAnswer,
  "clientIp" | "name" | "firstSeen" | "lastSeen" | "evidenceId" | "flowId"
>;

interface Place {
  address: string;
  day: number;
}

const PLACE: Column<Place & { n: number }>[] = [
  { name: "n", type: "integer", of: (place) => place.n },
  { name: "address", type: "inet", of: (place) => place.address },
  { name: "day", type: "timestamptz", of: (place) => place.day },
];

const LOOK_UP: Column<AnswerLookUp & { n: number; place: number }>[] = [
  { name: "n", type: "integer", of: (lookUp) => lookUp.n },
  { name: "place", type: "integer", of: (lookUp) => lookUp.place },
  { name: "client_ip", type: "inet", of: (lookUp) => lookUp.clientIp },
];

/**
 * The answers for each lookup, in one statement: those of the client itself, at most one more than are used;
 * or a few of other clients if it has none. Most addresses have few answers per day, which are read once for
 * all lookups. Only for busier addresses are the answers of each client read separately.
 */
export async function answersFor(
  tx: Tx,
  tenantId: string,
  lookUps: readonly AnswerLookUp[],
): Promise<FoundAnswer[][]> {
  if (lookUps.length === 0) return [];
  const { places, placeOf } = placesOf(lookUps);
  // Places and lookups are numbered in one sequence, places first, so that each row identifies its place or
  // lookup by `n`.
  const numberedPlaces = places.map((place, n) => ({ ...place, n }));
  const numberedLookUps = lookUps.map((lookUp, at) => ({
    ...lookUp,
    n: places.length + at,
    place: placeOf[at]!,
  }));
  const days = places.map(({ day }) => day);
  const [oldest, newest] = [Math.min, Math.max].map((pick) =>
    timestampLiteral(days.reduce((a, b) => pick(a, b)))
  );
  // The span of days lets the planner skip most partitions.
  const answer = sql`
    select client_ip, name, first_seen, last_seen, evidence_id, flow_id from dns_answer
    where tenant_id = ${tenantId} and address = p.address and day = p.day
      and day >= ${oldest}::timestamptz and day <= ${newest}::timestamptz`;
  const statement = sql`
    with place as materialized (select u.* from ${relation(PLACE, numberedPlaces)}),
    few as materialized (
      select p.n, a.* from place p cross join lateral (${answer} limit ${MAX_OTHER_ANSWERS}) a
    ),
    busy as materialized (
      select p.* from place p
      where p.n in (select n from few group by n having count(*) = ${MAX_OTHER_ANSWERS})
    ),
    wanted as materialized (
      select u.n, u.client_ip, p.address, p.day from ${relation(LOOK_UP, numberedLookUps)}
      join busy p on p.n = u.place
    )
    select few.* from few
    union all
    select p.n, a.* from wanted p cross join lateral (
      ${answer} and client_ip = p.client_ip limit ${MAX_NAMES_OF_ADDRESS + 1}
    ) a`;
  const found: FoundAnswer[][] = Array.from({ length: places.length + lookUps.length }, () => []);
  for (const row of await tx.rows<AnswerRow>(prepared("answers_for", statement))) {
    found[row.n]!.push(toFound(row));
  }
  return lookUps.map(({ clientIp }, at) => {
    const few = found[placeOf[at]!]!;
    const ofClient = found[places.length + at]!;
    const own = ofClient.length > 0 ? ofClient : few.filter((answer) => answer.clientIp === clientIp);
    return own.length > 0 ? own : few;
  });
}

/** The distinct pairs of address and day, and the index of each lookup's pair. */
function placesOf(lookUps: readonly AnswerLookUp[]): { places: Place[]; placeOf: number[] } {
  const places: Place[] = [];
  const known = new Map<number, Map<string, number>>();
  const placeOf = lookUps.map(({ address, day }) => {
    let ofDay = known.get(day);
    if (ofDay === undefined) known.set(day, ofDay = new Map());
    const place = ofDay.get(address) ?? places.push({ address, day }) - 1;
    ofDay.set(address, place);
    return place;
  });
  return { places, placeOf };
}

interface AnswerRow {
  /** Number of the place or lookup. */
  n: number;
  client_ip: string;
  name: string;
  first_seen: number;
  last_seen: number;
  evidence_id: string;
  flow_id: string;
}

function toFound(row: AnswerRow): FoundAnswer {
  return {
    clientIp: fromInet(row.client_ip),
    name: row.name,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    evidenceId: row.evidence_id,
    flowId: row.flow_id,
  };
}
