import { type FlowStatement, flowWrites } from "../../store/flow/writes.ts";
import type { Cursor } from "../../store/record/pending.ts";
import { loadCandidates } from "./candidates.ts";
import { correlate, type Correlation } from "./correlate.ts";
import { DeviceRoster } from "./devices.ts";
import type { Preparation, Round, Stage } from "./stage.ts";

interface PreparedFlows {
  devices: DeviceRoster;
  correlation: Correlation;
  statements: FlowStatement[];
  /** The cursor after the round. */
  next: Cursor;
}

/** Joins the records to devices and flows; writes the devices seen, the flows and their evidence. */
export const flows: Stage<PreparedFlows> = {
  async prepare(round, preparation) {
    const { tenantId, records, before, last } = round.basis;
    const { previous, recent, slice } = preparation;
    const earlier = previous?.of(flows) ?? null;
    recent.begin(before.batchNo, earlier?.correlation ?? null);
    const [devices, candidates] = await load(round, preparation, earlier?.devices ?? null);
    const correlation = await correlate(records, devices, candidates, before, slice);
    recent.end(last, correlation);
    const { longestFlow, historySince, latestEnd } = correlation;
    const statements: FlowStatement[] = [];
    for (const statement of flowWrites(tenantId, correlation)) {
      statements.push(statement);
      if (slice.over) await slice.yield();
    }
    return {
      devices,
      correlation,
      statements,
      next: { batchNo: last, longestFlow, historySince, latestEnd },
    };
  },

  *write({ tx }, { devices, statements }, { basis: { last } }) {
    // Before any stage that changes a device, which may be new in this round.
    yield devices.write(tx, last);
    // The largest statements come early: the database works on them while the rest is put together.
    for (const statement of statements) yield tx.run(statement);
  },
};

function load(
  { basis: { tenantId, settings, records, before, last } }: Round,
  { db, recent, seen }: Preparation,
  earlier: DeviceRoster | null,
) {
  const observations = records.map((record) => record.observation);
  return db.tenant(tenantId, (tx) =>
    Promise.all([
      DeviceRoster.load(tx, { tenantId, networks: settings.networks, observations, earlier }),
      loadCandidates(tx, { tenantId, records, last, before, recent, seen }),
    ]));
}
