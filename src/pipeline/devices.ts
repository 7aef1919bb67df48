import { createHash } from "node:crypto";
import { isDeviceAddress, responderAnswered } from "../domain/device/presence.ts";
import type { Observation } from "../domain/records/observation.ts";
import { timeUuid } from "../kit/id.ts";
import type { Cidr } from "../kit/ip.ts";
import type { Tx } from "../store/database.ts";
import { countDevices, type DeviceAddress, devicesByAddress, recordDevices } from "../store/device-write.ts";

/** The devices of one round: those known before and those its records show. */
export class DeviceRoster {
  readonly #byAddress = new Map<string, { deviceId: string; displayName: string }>();
  readonly #seen = new Map<string, DeviceAddress>();
  readonly #names = new Map<string, string>();
  #count: number;

  private constructor(
    private readonly tenantId: string,
    private readonly networks: readonly Cidr[],
    private readonly internal: Map<string, boolean>,
    count: number,
  ) {
    this.#count = count;
  }

  /** `before` is the roster of the round before, whose new devices may not be committed yet. */
  static async load(
    tx: Tx,
    tenantId: string,
    networks: readonly Cidr[],
    observations: readonly Observation[],
    before: DeviceRoster | null,
  ): Promise<DeviceRoster> {
    const internal = new Map<string, boolean>();
    for (const { src, dst } of observations) {
      for (const ip of [src.ip, dst.ip]) {
        if (!internal.has(ip)) internal.set(ip, isDeviceAddress(ip, networks));
      }
    }
    const addresses = [...internal].filter(([, yes]) => yes).map(([ip]) => ip);
    const [count, known] = await Promise.all([
      before?.count ?? countDevices(tx, tenantId),
      devicesByAddress(tx, tenantId, addresses),
    ]);
    const roster = new DeviceRoster(tenantId, networks, internal, count);
    for (const ip of addresses) {
      const device = known.get(ip) ?? (before === null ? undefined : before.#byAddress.get(ip));
      if (!device) continue;
      roster.#byAddress.set(ip, device);
      roster.#names.set(device.deviceId, device.displayName);
    }
    return roster;
  }

  /** Devices of the tenant so far, in the order of records. */
  get count(): number {
    return this.#count;
  }

  isInternal(ip: string): boolean {
    return this.internal.get(ip) ?? isDeviceAddress(ip, this.networks);
  }

  deviceAt(ip: string): string | null {
    return this.#byAddress.get(ip)?.deviceId ?? null;
  }

  nameOf(deviceId: string): string {
    return this.#names.get(deviceId) ?? deviceId;
  }

  /** Takes an observation's ends into the roster; an end that is no device of the site is left out. */
  observe(observation: Observation): void {
    this.#touch(observation.src.ip, observation, true);
    this.#touch(observation.dst.ip, observation, responderAnswered(observation));
  }

  async write(tx: Tx): Promise<void> {
    await recordDevices(tx, this.tenantId, [...this.#seen.values()]);
  }

  #touch(ip: string, observation: Observation, proves: boolean): void {
    if (!this.isInternal(ip)) return;
    let deviceId = this.deviceAt(ip);
    if (deviceId === null) {
      if (!proves) return;
      deviceId = this.#add(ip, observation.start);
    }
    const seen = this.#seen.get(ip);
    if (!seen) {
      const vlans = new Set<number>(observation.vlan === null ? [] : [observation.vlan]);
      this.#seen.set(ip, { ip, deviceId, firstSeen: observation.start, lastSeen: observation.end, vlans });
      return;
    }
    seen.firstSeen = Math.min(seen.firstSeen, observation.start);
    seen.lastSeen = Math.max(seen.lastSeen, observation.end);
    if (observation.vlan !== null) seen.vlans.add(observation.vlan);
  }

  /** The id follows from tenant, address and first sight, so that a replay makes the same device again. */
  #add(ip: string, firstSeen: number): string {
    const deviceId = timeUuid(firstSeen, createHash("sha256").update(`${this.tenantId}\n${ip}`).digest());
    this.#byAddress.set(ip, { deviceId, displayName: ip });
    this.#names.set(deviceId, ip);
    this.#count++;
    return deviceId;
  }
}
