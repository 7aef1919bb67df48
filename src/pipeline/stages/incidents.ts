import { detection } from "./detection.ts";
import { flows } from "./flows.ts";
import { IncidentRound } from "./incident-round.ts";
import { inventory } from "./inventory.ts";
import type { Round, RoundWriting, Stage } from "./stage.ts";

/** Turns the detectors' findings into incidents, results, scores and events. */
export const incidents: Stage<void> = {
  *write(writing, _prepared, round) {
    yield writeIncidents(writing, round);
  },
};

async function writeIncidents(writing: RoundWriting, round: Round): Promise<void> {
  const { findings } = round.of(detection);
  if (findings.length === 0) return;
  // The importance of a device counts, and the inventory may set it in this round.
  await writing.done(inventory);
  const { tx, now } = writing;
  const { tenantId, settings: { automatic } } = round.basis;
  const site = round.of(flows).devices;
  const incidents = await IncidentRound.load(tx, { tenantId, findings, site, now, gates: automatic });
  await incidents.write(tx);
}
