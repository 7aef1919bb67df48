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

const DAY = 86_400_000_000;

/**
 * What a round's observations say beyond their flows: names of servers, facts about devices, leases. Rows are folded here
 * in the order of arrival just as the store folds them, so it does not matter where a round ends.
 */
export class FactRound {
  readonly #answers = new Map<string, DnsAnswer>();
  readonly #facts = new Map<string, StoredFact>();
  readonly #leases = new Map<string, StoredLease>();
  /** Devices that showed a name of theirs. */
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

  /** Writes them, and names devices after them. */
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
    const fresh = seen(stored);
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
    const { granted, ...said } = message;
    const fresh = { ...said, ...seen(stored), grantedAt: granted ? timeOf(stored) : null };
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
    // What the client said last, and what the server said last, each as far as they said it.
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

function seen(stored: StoredObservation): Sighting {
  const { record: { observation: { source }, receivedAt, evidenceId }, flowId } = stored;
  const at = timeOf(stored);
  return { firstSeen: at, lastSeen: at, receivedAt, sources: [source], evidenceId, flowId };
}

/** As the store will have it, so that wild times compare, and fall on days, the same way here and there. */
function timeOf({ record }: StoredObservation): number {
  return storableTime(record.observation.end);
}

function widen(known: Sighting, fresh: Sighting): void {
  known.firstSeen = Math.min(known.firstSeen, fresh.firstSeen);
  known.lastSeen = Math.max(known.lastSeen, fresh.lastSeen);
  known.receivedAt = Math.max(known.receivedAt, fresh.receivedAt);
  for (const source of fresh.sources) if (!known.sources.includes(source)) known.sources.push(source);
}
