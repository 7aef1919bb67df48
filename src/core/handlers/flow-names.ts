import type { FlowName } from "../../contract/flow.ts";
import { namesBefore } from "../../domain/correlate/dns-names.ts";
import type { FlowState } from "../../domain/correlate/flow.ts";
import type { Tx } from "../../store/database.ts";
import { type AnswerLookUp, answersFor, type FoundAnswer } from "../../store/dns-answers.ts";

const DAY = 86_400_000_000;

/** One end of a flow that the other may have found by name. */
interface Named {
  end: "src" | "dst";
  clientIp: string;
  address: string;
}

/** The names of the servers of these flows, by flow; one look at the database for all of them. */
export async function namesOfFlows(
  tx: Tx,
  tenantId: string,
  flows: readonly FlowState[],
): Promise<Map<string, FlowName[]>> {
  const lookUps = new Map<string, AnswerLookUp>();
  for (const flow of flows) {
    for (const named of endsOf(flow)) {
      for (const day of daysOf(flow)) {
        const { clientIp, address } = named;
        lookUps.set(keyOf(named, day), { clientIp, address, day });
      }
    }
  }
  const keys = [...lookUps.keys()];
  const answers = new Map<string, FoundAnswer[]>();
  for (const found of await answersFor(tx, tenantId, [...lookUps.values()])) {
    const key = keys[found.lookUp]!;
    const same = answers.get(key);
    if (same) same.push(found);
    else answers.set(key, [found]);
  }
  const answersOf = (flow: FlowState, named: Named) =>
    daysOf(flow).flatMap((day) => answers.get(keyOf(named, day)) ?? []);
  return new Map(flows.map((flow) => [flow.flowId, namesOf(flow, (named) => answersOf(flow, named))]));
}

function namesOf(flow: FlowState, answersOf: (named: Named) => FoundAnswer[]): FlowName[] {
  const { flowId, serverName, start } = flow;
  const stated: FlowName[] = serverName === null ? [] : [{
    name: serverName.name,
    via: serverName.via,
    of: serverName.end,
    same_client: true,
    evidence_id: serverName.evidenceId,
    flow_id: flowId,
  }];
  const answered = endsOf(flow).flatMap((named) =>
    namesBefore(answersOf(named), named.clientIp, start).map(({ answer, sameClient }): FlowName => ({
      name: answer.name,
      via: "dns",
      of: named.end,
      same_client: sameClient,
      evidence_id: answer.evidenceId,
      flow_id: answer.flowId,
    }))
  );
  return [...stated, ...answered];
}

/** The destination; where only an exporter saw the flow, whose direction says nothing, either end. */
function endsOf({ src, dst, counters }: FlowState): Named[] {
  const dstEnd: Named = { end: "dst", clientIp: src.ip, address: dst.ip };
  if (counters.semantics !== "unidirectional_export") return [dstEnd];
  return [dstEnd, { end: "src", clientIp: dst.ip, address: src.ip }];
}

/** The day on which the flow began, and the one before. */
function daysOf({ start }: FlowState): number[] {
  const day = Math.floor(start / DAY) * DAY;
  return [day, day - DAY];
}

function keyOf({ clientIp, address }: Named, day: number): string {
  return `${clientIp} ${address} ${day}`;
}
