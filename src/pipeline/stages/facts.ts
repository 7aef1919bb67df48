import { resolutionOf } from "../../domain/flow/dns-answers.ts";
import { type DeviceFact, deviceFacts } from "../../domain/device/fact.ts";
import { leaseMessage } from "../../domain/device/lease.ts";
import type { Tx } from "../../store/engine/database.ts";
import { recordDeviceFacts, type StoredFact } from "../../store/device/facts.ts";
import { nameDevices } from "../../store/device/names.ts";
import { recordLeases, type StoredLease } from "../../store/device/dhcp-leases.ts";
import { type DnsAnswer, recordAnswers } from "../../store/flow/dns-answers.ts";
import type { StoredObservation } from "../../store/flow/evidence.ts";
import { storableTime } from "../../store/engine/literals.ts";
import type { Step } from "./correlate.ts";
import { flows } from "./flows.ts";
import type { Stage } from "./stage.ts";

/** A day in microseconds. */
const DAY = 86_400_000_000;

/** Extracts DNS answers, device facts and DHCP leases from the observations, and names devices after them. */
export const facts: Stage<FactFold> = {
  prepare: (round) => new FactFold(round.of(flows).correlation.steps),

  *write({ tx }, fold, round) {
    yield fold.write(tx, round.basis.tenantId);
  },
};

/**
 * Facts of a round's observations beyond their flows. Rows are folded in the order of arrival, as the store folds them,
 * so the result does not depend on where a round ends.
 */
class FactFold {
  readonly #answers = new Map<string, DnsAnswer>();
  readonly #facts = new Map<string, StoredFact>();
  readonly #leases = new Map<string, StoredLease>();
  /** Devices whose traffic showed their own name. */
  readonly #named = new Set<string>();

  constructor(steps: readonly Step[]) {
    for (const step of steps) if (step.record.observation.facts !== null) this.#add(step);
  }

  #add(step: Step): void {
    this.#addAnswers(step);
    this.#addLease(step);
    for (const fact of deviceFacts(step.record.observation)) {
      const device = fact.end === "src" ? step.srcDevice : step.dstDevice;
      if (device === null) continue;
      const { deviceId } = device;
      if (fact.kind === "smb_host" || fact.kind === "kerberos_principal") this.#named.add(deviceId);
      this.#addFact(deviceId, fact, step);
    }
  }

  async write(tx: Tx, tenantId: string): Promise<void> {
    const leases = [...this.#leases.values()];
    await Promise.all([
      recordAnswers(tx, tenantId, [...this.#answers.values()]),
      recordDeviceFacts(tx, tenantId, [...this.#facts.values()]),
      recordLeases(tx, tenantId, leases),
      nameDevices(tx, tenantId, [...this.#named], [...new Set(leases.map(({ ip }) => ip))]),
    ]);
  }

  #addAnswers(stored: StoredObservation): void {
    const resolution = resolutionOf(stored.record.observation);
    if (resolution === null) return;
    const { record: { observation: { src }, receivedAt, evidenceId }, flowId } = stored;
    const at = timeOf(stored);
    const day = Math.floor(at / DAY) * DAY;
    for (const address of resolution.addresses) {
      const key = `${src.ip} ${address} ${day} ${resolution.name}`;
      const known = this.#answers.get(key);
      if (!known) {
        this.#answers.set(key, {
          clientIp: src.ip,
          address,
          name: resolution.name,
          day,
          firstSeen: at,
          lastSeen: at,
          receivedAt,
          evidenceId,
          flowId,
        });
        continue;
      }
      if (at < known.firstSeen) {
        known.firstSeen = at;
        known.evidenceId = evidenceId;
        known.flowId = flowId;
      }
      known.lastSeen = Math.max(known.lastSeen, at);
      known.receivedAt = Math.max(known.receivedAt, receivedAt);
    }
  }

  #addFact(deviceId: string, { kind, value, detail }: DeviceFact, stored: StoredObservation): void {
    const key = `${deviceId} ${kind} ${value}`;
    const known = this.#facts.get(key);
    const fresh = sightingOf(stored);
    if (!known) {
      this.#facts.set(key, { ...fresh, deviceId, kind, value, detail, count: 1 });
      return;
    }
    known.detail ??= detail;
    known.count++;
    if (fresh.lastSeen >= known.lastSeen) {
      known.evidenceId = fresh.evidenceId;
      known.flowId = fresh.flowId;
    }
    widen(known, fresh);
  }

  #addLease(stored: StoredObservation): void {
    const message = leaseMessage(stored.record.observation);
    if (message === null) return;
    const { granted, ...lease } = message;
    const fresh = { ...lease, ...sightingOf(stored), grantedAt: granted ? timeOf(stored) : null };
    const key = `${message.ip} ${message.mac}`;
    const known = this.#leases.get(key);
    if (!known) {
      this.#leases.set(key, fresh);
      return;
    }
    widen(known, fresh);
    if (fresh.grantedAt !== null) {
      known.grantedAt = Math.max(known.grantedAt ?? fresh.grantedAt, fresh.grantedAt);
    }
    // The latest value of each field, from the client or the server, whichever sent it.
    known.leaseSeconds = fresh.leaseSeconds ?? known.leaseSeconds;
    known.serverIp = fresh.serverIp ?? known.serverIp;
    known.clientId = fresh.clientId ?? known.clientId;
    known.hostName = fresh.hostName ?? known.hostName;
    known.vendorClass = fresh.vendorClass ?? known.vendorClass;
    known.evidenceId = fresh.evidenceId;
    known.flowId = fresh.flowId;
  }
}

type Sighting = Pick<
  StoredFact,
  "firstSeen" | "lastSeen" | "receivedAt" | "sources" | "evidenceId" | "flowId"
>;

function sightingOf(stored: StoredObservation): Sighting {
  const { record: { observation: { source }, receivedAt, evidenceId }, flowId } = stored;
  const at = timeOf(stored);
  return { firstSeen: at, lastSeen: at, receivedAt, sources: [source], evidenceId, flowId };
}

/** The time as the store keeps it, so that out-of-range times compare, and fall on days, as they do in the store. */
function timeOf({ record }: StoredObservation): number {
  return storableTime(record.observation.end);
}

function widen(known: Sighting, fresh: Sighting): void {
  known.firstSeen = Math.min(known.firstSeen, fresh.firstSeen);
  known.lastSeen = Math.max(known.lastSeen, fresh.lastSeen);
  known.receivedAt = Math.max(known.receivedAt, fresh.receivedAt);
  for (const source of fresh.sources) if (!known.sources.includes(source)) known.sources.push(source);
}
