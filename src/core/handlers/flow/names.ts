import type { FlowName } from "../../../contract/flow/flow.ts";
import { namesBefore } from "../../../domain/flow/dns-names.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { type AnswerLookUp, answersFor, type FoundAnswer } from "../../../store/flow/dns-answers.ts";
import type { ShownFlow } from "../../../store/flow/shown-flows.ts";

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
  const lookUps: AnswerLookUp[] = [];
  /** Who waits for the answers to each look-up. */
  const waiting: Named[][] = [];
  const known = new Map<string, Named[]>();
  const ends = flows.map(endsOf);
  for (let at = 0; at < flows.length; at++) {
    const newest = Math.floor(flows[at]!.start / DAY);
    for (const named of ends[at]!) {
      const { clientIp, address } = named;
      const key = `${newest} ${clientIp} ${address}`;
      const others = known.get(key);
      if (others) {
        others.push(named);
        continue;
      }
      const same = [named];
      known.set(key, same);
      // The day on which the flow began, and the one before.
      for (const day of [newest, newest - 1]) {
        lookUps.push({ clientIp, address, day: day * DAY });
        waiting.push(same);
      }
    }
  }
  const found = await answersFor(tx, tenantId, lookUps);
  for (let at = 0; at < found.length; at++) {
    for (const named of waiting[at]!) named.answers.push(...found[at]!);
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
