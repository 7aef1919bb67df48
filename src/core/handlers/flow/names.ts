import type { FlowName } from "../../../contract/flow/flow.ts";
import { namesBefore } from "../../../domain/flow/dns-names.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { type AnswerLookUp, answersFor, type FoundAnswer } from "../../../store/flow/dns-answers.ts";
import type { ShownFlow } from "../../../store/flow/shown-flows.ts";

const DAY = 86_400_000_000;

/** An end of a flow whose address the other end may have resolved by name. */
interface NamedEnd {
  end: "src" | "dst";
  clientIp: string;
  address: string;
  /** DNS answers that contain the address. */
  answers: FoundAnswer[];
}

/** Returns the server names of flows by flow id, with a single query. */
export async function namesOfFlows(
  tx: Tx,
  tenantId: string,
  flows: readonly ShownFlow[],
): Promise<Map<string, FlowName[]>> {
  const lookUps: AnswerLookUp[] = [];
  /** The ends that each lookup is for. */
  const endsOfLookUp: NamedEnd[][] = [];
  const known = new Map<string, NamedEnd[]>();
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
      // Answers are stored by day: search the day on which the flow began and the day before.
      for (const day of [newest, newest - 1]) {
        lookUps.push({ clientIp, address, day: day * DAY });
        endsOfLookUp.push(same);
      }
    }
  }
  const found = await answersFor(tx, tenantId, lookUps);
  for (let at = 0; at < found.length; at++) {
    for (const named of endsOfLookUp[at]!) named.answers.push(...found[at]!);
  }
  return new Map(flows.map((flow, at) => [flow.flowId, namesOf(flow, ends[at]!)]));
}

function namesOf({ flowId, serverName, start }: ShownFlow, ends: readonly NamedEnd[]): FlowName[] {
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

/** The destination; for flows seen only by an exporter, both ends, because their direction is unreliable. */
function endsOf({ src, dst, counters }: ShownFlow): NamedEnd[] {
  const dstEnd: NamedEnd = { end: "dst", clientIp: src.ip, address: dst.ip, answers: [] };
  if (counters.semantics !== "unidirectional_export") return [dstEnd];
  return [dstEnd, { end: "src", clientIp: dst.ip, address: src.ip, answers: [] }];
}
