import { evaluatePast } from "../../domain/detect/threat-intel/past.ts";
import { partyKey } from "../../domain/detect/threat-intel/party.ts";
import { certainty } from "../../domain/detect/threat-intel/score.ts";
import { isDeviceAddress } from "../../domain/device/presence.ts";
import type { Sightings } from "../../domain/intel/sightings.ts";
import type { Gates } from "../../domain/review/response/automatic.ts";
import type { Cidr } from "../../kit/net/ip.ts";
import type { Tx } from "../../store/engine/database.ts";
import { countDevices, devicesByAddress, type KnownDevice } from "../../store/device/write.ts";
import { flowsByIds, timeOfId } from "../../store/flow/read.ts";
import { type Finding, IncidentRound } from "./incident-round.ts";

/** Matches evaluated per pass, the most certain and newest first: more at once point to a mistake in a list. */
const MAX_MATCHES = 2000;
/** Results per pass, the worst ones. */
const MAX_RESULTS = 200;

interface PastOptions {
  tenantId: string;
  networks: readonly Cidr[];
  found: readonly Sightings[];
  /** Microseconds since the epoch. */
  now: number;
  gates?: Gates;
}

/**
 * Creates incidents from matches found in stored records, in the transaction that writes the matches, so each is
 * reported once. The transaction holds the cursor's row: no round runs meanwhile. Detector states are not changed; later
 * results about the same contact join the same incident.
 */
export async function announcePast(
  tx: Tx,
  { tenantId, networks, found, now, gates }: PastOptions,
): Promise<void> {
  const matches = found.toSorted(byWeight).slice(0, MAX_MATCHES);
  if (matches.length === 0) return;
  const devices = await devicesByAddress(tx, tenantId, [...new Set(matches.map(({ partyIp }) => partyIp))]);
  const flows = await flowsByIds(tx, tenantId, [...new Set(matches.map(({ flowId }) => flowId))]);
  const deviceCount = await countDevices(tx, tenantId);
  const users = usersOf(found);
  const known = new Map<string, KnownDevice>();
  const findings: Finding[] = [];
  for (const match of matches) {
    const { partyIp, evidenceId, flowId } = match;
    const device = devices.get(partyIp);
    if (device) known.set(device.survivorId, device);
    const party = {
      deviceId: device?.survivorId ?? null,
      key: partyKey({
        deviceId: device?.survivorId ?? null,
        ip: partyIp,
        internal: isDeviceAddress(partyIp, networks),
      }),
      name: device?.displayName ?? partyIp,
      users: users.get(indicatorOf(match)) ?? 0,
      deviceCount,
    };
    const ref = { evidenceId, observedAt: timeOfId(evidenceId), flowId };
    const result = evaluatePast(match, flows.get(flowId) ?? null, ref, party);
    if (result !== null) findings.push({ trigger: evidenceId, result });
  }
  if (findings.length === 0) return;
  const site = {
    nameOf: (deviceId: string) => known.get(deviceId)?.displayName ?? deviceId,
    isInternal: (ip: string) => isDeviceAddress(ip, networks),
    confirmedType: (deviceId: string) => known.get(deviceId)?.confirmedType ?? null,
  };
  const worst = findings.toSorted(byScore).slice(0, MAX_RESULTS).sort(byTime);
  const round = await IncidentRound.load(tx, { tenantId, findings: worst, site, now, gates });
  await round.write(tx);
}

/** Number of internal addresses that matched each indicator. */
function usersOf(found: readonly Sightings[]): Map<string, number> {
  const users = new Map<string, number>();
  for (const one of found) {
    const key = indicatorOf(one);
    users.set(key, (users.get(key) ?? 0) + 1);
  }
  return users;
}

function indicatorOf({ match }: Sightings): string {
  return `${match.kind} ${match.indicator}`;
}

function byWeight(a: Sightings, b: Sightings): number {
  return certainty(b.match) - certainty(a.match) || b.lastSeen - a.lastSeen ||
    compare(a.evidenceId, b.evidenceId);
}

function byScore(a: Finding, b: Finding): number {
  return b.result.score - a.result.score || compare(a.result.groupKey, b.result.groupKey);
}

function byTime(a: Finding, b: Finding): number {
  return a.result.at - b.result.at || compare(a.result.groupKey, b.result.groupKey);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
