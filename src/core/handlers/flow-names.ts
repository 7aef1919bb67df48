import type { FlowName } from "../../contract/flow.ts";
import { namesBefore } from "../../domain/correlate/dns-names.ts";
import type { Tx } from "../../store/database.ts";
import { type AnswerLookUp, answersFor, type FoundAnswer } from "../../store/dns-answers.ts";
import type { ShownFlow } from "../../store/shown-flows.ts";

const DAY = 86_400_000_000;

/** One end of a flow that the other may have found by name. */
interface Named {
  end: "src" | "dst";
  clientIp: string;
  address: string;
  /** What was told of it. */
  answers: FoundAnswer[];
}

/** The names of the servers of these flows, by flow; one look at the database for all of them. */
export async function namesOfFlows(
  tx: Tx,
  tenantId: string,
  flows: readonly ShownFlow[],
): Promise<Map<string, FlowName[]>> {
  const lookUps: (AnswerLookUp & { ends: Named[] })[] = [];
  const byKey = new Map<string, (typeof lookUps)[number]>();
  const ends = flows.map(endsOf);
  for (const [at, flow] of flows.entries()) {
    const newest = Math.floor(flow.start / DAY);
    for (const named of ends[at]!) {
      const { clientIp, address } = named;
      // The day on which the flow began, and the one before.
      for (const day of [newest, newest - 1]) {
        const key = `${clientIp} ${address} ${day}`;
        const known = byKey.get(key);
        if (known) {
          known.ends.push(named);
        } else {
          const lookUp = { clientIp, address, day: day * DAY, ends: [named] };
          byKey.set(key, lookUp);
          lookUps.push(lookUp);
        }
      }
    }
  }
  for (const [at, found] of (await answersFor(tx, tenantId, lookUps)).entries()) {
    for (const named of lookUps[at]!.ends) named.answers.push(...found);
  }
  return new Map(flows.map((flow, at) => [flow.flowId, namesOf(flow, ends[at]!)]));
}

function namesOf({ flowId, serverName, start }: ShownFlow, ends: readonly Named[]): FlowName[] {
  const stated: FlowName[] = serverName === null ? [] : [{
    name: serverName.name,
    via: serverName.via,
    of: serverName.end,
    same_client: true,
    evidence_id: serverName.evidenceId,
    flow_id: flowId,
  }];
  const answered = ends.flatMap(({ end, clientIp, answers }) =>
    namesBefore(answers, clientIp, start).map(({ answer, sameClient }): FlowName => ({
      name: answer.name,
      via: "dns",
      of: end,
      same_client: sameClient,
      evidence_id: answer.evidenceId,
      flow_id: answer.flowId,
    }))
  );
  return [...stated, ...answered];
}

/** The destination; where only an exporter saw the flow, whose direction says nothing, either end. */
function endsOf({ src, dst, counters }: ShownFlow): Named[] {
  const dstEnd: Named = { end: "dst", clientIp: src.ip, address: dst.ip, answers: [] };
  if (counters.semantics !== "unidirectional_export") return [dstEnd];
  return [dstEnd, { end: "src", clientIp: dst.ip, address: src.ip, answers: [] }];
}
