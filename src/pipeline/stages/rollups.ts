import { MarkFold, type TrafficMark } from "../../domain/graph/marks.ts";
import { trafficChanges } from "../../domain/graph/traffic.ts";
import { timeOfId } from "../../store/flow/read.ts";
import { recordMarks } from "../../store/graph/marks.ts";
import { type TrafficStatement, trafficWrites } from "../../store/graph/traffic-writes.ts";
import { flows } from "./flows.ts";
import { intelMatches } from "./intel.ts";
import type { Round, Stage } from "./stage.ts";

interface Rollups {
  statements: TrafficStatement[];
  marks: readonly TrafficMark[];
}

/** Writes what the round changes in the traffic of each minute and pair of addresses, and what it matched. */
export const rollups: Stage<Rollups> = {
  async prepare(round, { slice }) {
    const { tenantId, last } = round.basis;
    const { correlation } = round.of(flows);
    const statements: TrafficStatement[] = [];
    for (const statement of trafficWrites(tenantId, last, trafficChanges(correlation))) {
      statements.push(statement);
      if (slice.over) await slice.yield();
    }
    return { statements, marks: marksOfRound(round) };
  },

  *write({ tx }, { statements, marks }, round) {
    for (const statement of statements) yield tx.run(statement);
    if (marks.length > 0) yield recordMarks(tx, round.basis.tenantId, marks);
  },
};

function marksOfRound(round: Round): TrafficMark[] {
  const { correlation: { steps } } = round.of(flows);
  const fold = new MarkFold();
  for (const [at, hits] of round.of(intelMatches)) {
    const { flowId, src, dst } = steps[at]!;
    fold.add({ anchor: timeOfId(flowId), src, dst, hits });
  }
  return fold.marks;
}
