import { MAX_NAMES_OF_ADDRESS, MAX_OTHER_ANSWERS } from "../domain/correlate/dns-names.ts";
import type { Tx } from "./database.ts";
import { fromInet } from "./flows.ts";
import { timestampLiteral } from "./literals.ts";
import { type Column, insertRows, relation } from "./rows.ts";
import { planKept, sql } from "./sql.ts";

/** A name that led a client to an address on a day. Times in microseconds. */
export interface DnsAnswer {
  clientIp: string;
  address: string;
  name: string;
  /** Start of the UTC day that the answers came on. */
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

/** Adds the answers, each key at most once, to what is known of the day. */
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

/** Who wants to know the names of which address, as they were on a day. */
export interface AnswerLookUp {
  clientIp: string;
  address: string;
  day: number;
}

/** What was answered to the client of a look-up, or else to others. */
export interface FoundAnswer
  extends Pick<DnsAnswer, "clientIp" | "name" | "firstSeen" | "lastSeen" | "evidenceId" | "flowId"> {
  /** Place of the look-up in the list. */
  lookUp: number;
}

const LOOK_UP: Column<AnswerLookUp & { n: number }>[] = [
  { name: "n", type: "integer", of: (lookUp) => lookUp.n },
  { name: "address", type: "inet", of: (lookUp) => lookUp.address },
  { name: "day", type: "timestamptz", of: (lookUp) => lookUp.day },
  { name: "client_ip", type: "inet", of: (lookUp) => lookUp.clientIp },
];

/**
 * The answers for these look-ups, in one statement: of the client itself, at most one more than tells anything; or a few
 * of others where it has none. What others asked for is looked up once for each address and day.
 */
export async function answersFor(
  tx: Tx,
  tenantId: string,
  lookUps: readonly AnswerLookUp[],
): Promise<FoundAnswer[]> {
  if (lookUps.length === 0) return [];
  const numbered = lookUps.map((lookUp, n) => ({ ...lookUp, n }));
  const days = lookUps.map(({ day }) => day);
  const [oldest, newest] = [Math.min, Math.max].map((pick) =>
    timestampLiteral(days.reduce((a, b) => pick(a, b)))
  );
  // The span of days spares the planner most partitions.
  const ofAddress = sql`tenant_id = ${tenantId} and address = u.address and day = u.day
    and day >= ${oldest}::timestamptz and day <= ${newest}::timestamptz`;
  const answer = sql`select client_ip, name, first_seen, last_seen, evidence_id, flow_id from dns_answer`;
  const statement = sql`
    with wanted as materialized (select * from ${relation(LOOK_UP, numbered)}),
    own as materialized (
      select u.n, a.* from wanted u cross join lateral (
        ${answer} where ${ofAddress} and client_ip = u.client_ip limit ${MAX_NAMES_OF_ADDRESS + 1}
      ) a
    ),
    unknown as materialized (select address, day, array_agg(n) as n from wanted u
      where not exists (select from own where own.n = u.n) group by address, day)
    select array[n] as look_ups, client_ip, name, first_seen, last_seen, evidence_id, flow_id from own
    union all
    select u.n, a.* from unknown u cross join lateral (
      ${answer} where ${ofAddress} limit ${MAX_OTHER_ANSWERS}
    ) a`;
  const rows = await tx.rows<AnswerRow>(planKept("answers_for", statement));
  return rows.flatMap(({ look_ups, client_ip, name, first_seen, last_seen, evidence_id, flow_id }) => {
    const clientIp = fromInet(client_ip);
    return look_ups.map((lookUp) => ({
      lookUp,
      clientIp,
      name,
      firstSeen: first_seen,
      lastSeen: last_seen,
      evidenceId: evidence_id,
      flowId: flow_id,
    }));
  });
}

interface AnswerRow {
  /** Places in the list. */
  look_ups: number[];
  client_ip: string;
  name: string;
  first_seen: number;
  last_seen: number;
  evidence_id: string;
  flow_id: string;
}
