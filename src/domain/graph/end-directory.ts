import { isUnstatedIp } from "../../kit/net/ip.ts";
import { vlanFinder } from "../device/vlan.ts";
import type { GraphDevice, GraphInput, GraphPlace } from "./input.ts";
import { Numbered } from "./traffic-table.ts";

/** A device, or an address that belongs to none. */
export interface End {
  /** Its number in its directory: faster as a key than its id. */
  no: number;
  /** `node_id` of its own node. */
  id: string;
  /** Number of the cluster it belongs to in `EndDirectory.clusters`. */
  cluster: number;
  device: GraphDevice | null;
  /** The address of an end that is no device. */
  ip: string | null;
  /** Of an end that is no device. */
  place: GraphPlace | null;
  vlanId: number | null;
}

/** What the ends of addresses depend on. */
type EndSources = Pick<GraphInput, "devices" | "placeOf" | "vlanOf" | "broadcasts" | "site">;

/** Ends that no address has any more are dropped when there are that many, and more than others. */
const MAX_UNUSED = 1000;

/**
 * The ends of numbered addresses. A graph has a hundred thousand of them, and most are the same as in the graph before,
 * so they are kept until something that they depend on is replaced.
 */
export class EndDirectory {
  /** By their number. */
  readonly ends: End[] = [];
  readonly #clusters = new Numbered();
  /** By the number of the address. */
  readonly #byAddress: (End | null | undefined)[] = [];
  /** Ends that may have several addresses, by their id. */
  readonly #devices = new Map<string, End>();
  /** Numbers of ends with several addresses. */
  readonly #shared = new Set<number>();
  #unused = 0;
  #sources: EndSources | null = null;
  #vlanOf: (ip: string) => number | null = () => null;

  constructor(private readonly addresses: readonly string[]) {}

  /** `node_id` of clusters, by their number. */
  get clusters(): readonly string[] {
    return this.#clusters.texts;
  }

  /** Ends resolved from now on are those of these sources; each source must be immutable. */
  use(sources: EndSources): void {
    const former = this.#sources;
    this.#sources = sources;
    if (
      former?.placeOf !== sources.placeOf || former.vlanOf !== sources.vlanOf ||
      former.site !== sources.site ||
      former.broadcasts !== sources.broadcasts
    ) {
      this.#vlanOf = sources.vlanOf ?? vlanFinder(sources.site.vlans);
      this.#clear();
    } else if (former.devices !== sources.devices) this.#dropChanged();
  }

  /** The end of an address by its number; null for an address of no host: not stated, or a broadcast of the site. */
  endOf(address: number): End | null {
    const known = this.#byAddress[address];
    return known === undefined ? this.#resolve(address) : known;
  }

  /** Whether an end may have several addresses. */
  isShared({ no }: End): boolean {
    return this.#shared.has(no);
  }

  get hasShared(): boolean {
    return this.#shared.size > 0;
  }

  #clear(): void {
    this.ends.length = 0;
    this.#byAddress.length = 0;
    this.#devices.clear();
    this.#shared.clear();
    this.#unused = 0;
  }

  /** Forgets the ends of devices that have changed. */
  #dropChanged(): void {
    const { devices } = this.#sources!;
    this.#devices.clear();
    for (let address = 0; address < this.#byAddress.length; address++) {
      const end = this.#byAddress[address];
      if (end === undefined || end === null) continue;
      if ((devices.get(this.addresses[address]!) ?? null) !== end.device) {
        this.#byAddress[address] = undefined;
        this.#unused++;
      } else if (end.device !== null) this.#devices.set(end.device.deviceId, end);
    }
    if (this.#unused > MAX_UNUSED && this.#unused > this.ends.length / 2) this.#clear();
  }

  #resolve(address: number): End | null {
    const ip = this.addresses[address]!;
    const isHost = !isUnstatedIp(ip) && this.#sources!.broadcasts?.has(ip) !== true;
    const end = isHost ? this.#endOfHost(ip) : null;
    while (this.#byAddress.length <= address) this.#byAddress.push(undefined);
    this.#byAddress[address] = end;
    return end;
  }

  #endOfHost(ip: string): End {
    const device = this.#sources!.devices.get(ip) ?? null;
    const known = device === null ? undefined : this.#devices.get(device.deviceId);
    if (known !== undefined) this.#shared.add(known.no);
    return known ?? this.#create(ip, device);
  }

  #create(ip: string, device: GraphDevice | null): End {
    const place = device === null ? this.#sources!.placeOf(ip) : null;
    // The site's networks also place a device without a known VLAN, and an address without a device: a scan's target.
    const vlanId = device?.vlanId ?? this.#vlanOf(device?.ip ?? ip);
    const cluster = device !== null || vlanId !== null
      ? `vlan:${vlanId ?? "none"}`
      : `asn:${place?.asn ?? "none"}`;
    const end: End = {
      no: this.ends.length,
      id: device === null ? `ip:${ip}` : `device:${device.deviceId}`,
      cluster: this.#clusters.of(cluster),
      device,
      ip: device === null ? ip : null,
      place,
      vlanId,
    };
    this.ends.push(end);
    if (device !== null) this.#devices.set(device.deviceId, end);
    return end;
  }
}
