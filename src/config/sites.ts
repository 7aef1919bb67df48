import { z } from "zod";
import { line } from "../contract/request/common.ts";
import type { Site } from "../contract/site.ts";
import { type Cidr, formatIp, parseCidr } from "../kit/net/ip.ts";
import type { Faults } from "./yaml/faults.ts";
import { isZone } from "../kit/zone.ts";
import { Identifier } from "./yaml/ids.ts";
import { type ConfigInput, readText } from "./yaml/input.ts";
import { claim, type Faultless, section, YamlFile } from "./yaml/yaml.ts";

export interface SiteConfig {
  tenantId: string;
  /** The answer of `GET /api/v1/site`. */
  site: Site;
  /**
   * Networks whose addresses are devices of this site: the configured or the private ones, and those of
   * VLANs.
   */
  networks: readonly Cidr[];
  /** True if neither networks nor VLANs are configured, and private ranges are assumed to be internal. */
  networksAssumed: boolean;
}

const SITES_FILE = "sites.yaml";

/** RFC 1918 and unique local addresses. */
const PRIVATE_NETWORKS = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"];

const Network = z.string().superRefine((text, context) => {
  const cidr = parseCidr(text);
  const first = cidr === null ? null : `${formatIp(cidr.first)}/${cidr.prefix}`;
  if (first === text) return;
  context.addIssue({
    code: "custom",
    message: first === null
      ? `expected a network such as 10.0.0.0/8, got "${text}"`
      : `expected the network ${first}, got "${text}"`,
  });
});

const TimeZone = z.string().superRefine((text, context) => {
  // Offsets such as +02:00, which the runtime also accepts, would ignore summer time.
  if (/^[A-Za-z]/.test(text) && isZone(text)) return;
  context.addIssue({
    code: "custom",
    message: `expected an IANA time zone such as Europe/Berlin, got "${text}"`,
  });
});

const Vlan = section({
  vlan_id: z.int().min(0).max(4095),
  name: line(128),
  cidrs: z.array(Network),
});

const Entry = section({
  tenant_id: Identifier,
  site_id: Identifier.optional(),
  display_name: line(128).optional(),
  home_coordinates: section({
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
  }).nullable().optional(),
  time_zone: TimeZone.optional(),
  vlans: z.array(Vlan).optional(),
  networks: z.array(Network).min(1).optional(),
});

/**
 * Reads `sites.yaml`: `sites:` with one entry per tenant. `null` if the file does not exist. Faults go to
 * `faults`; the result must not be used then.
 */
export function readSites(input: ConfigInput, configDir: string, faults: Faults): SiteConfig[] | null {
  const path = `${configDir}/${SITES_FILE}`;
  const text = readText(input, path, faults);
  return text === null ? null : parseSites(text, path, faults);
}

export function parseSites(text: string, path: string, faults: Faults): SiteConfig[] {
  const file = YamlFile.parse(text, path, faults);
  if (file === null) return [];
  const tenants = new Map<string, string>();
  const sites: SiteConfig[] = [];
  for (const [index, item] of file.list("sites", Entry).entries()) {
    const tenantId = item.valid.tenant_id;
    if (tenantId !== undefined) {
      claim(
        tenants,
        tenantId,
        `sites[${index}]`,
        (first) =>
          file.fault([...item.path, "tenant_id"], `expected one entry per tenant, but ${first} has it too`),
      );
    }
    const vlans = item.valid.vlans ?? [];
    checkNetworks(file, [...item.path, "vlans"], vlans);
    const ids = vlans.map((vlan) => vlan?.vlan_id);
    for (const [at, id] of ids.entries()) {
      const first = ids.indexOf(id);
      if (id !== undefined && first !== at) {
        file.fault(
          [...item.path, "vlans", at, "vlan_id"],
          `expected one entry per VLAN, but vlans[${first}] has ${id} too`,
        );
      }
    }
    if (item.value !== null) sites.push(toSite(item.value));
  }
  return sites;
}

/** A network belongs to one VLAN; it may lie within another one's. */
function checkNetworks(
  file: YamlFile,
  at: readonly PropertyKey[],
  vlans: Faultless<Site["vlans"]>,
): void {
  const holders = new Map<string, string>();
  for (const [index, vlan] of vlans.entries()) {
    for (const [place, cidr] of (vlan?.cidrs ?? []).entries()) {
      if (cidr === undefined) continue;
      claim(
        holders,
        cidr,
        `vlans[${index}]`,
        (first) =>
          file.fault(
            [...at, index, "cidrs", place],
            `expected a network of one VLAN only, but ${first} has it too`,
          ),
      );
    }
  }
}

/** The site of a tenant without an entry in `sites.yaml`: private networks, no location. */
export function defaultSite(tenantId: string): SiteConfig {
  return toSite({ tenant_id: tenantId });
}

function toSite(entry: z.infer<typeof Entry>): SiteConfig {
  const vlans = entry.vlans ?? [];
  const networks = [...entry.networks ?? PRIVATE_NETWORKS, ...vlans.flatMap((vlan) => vlan.cidrs)];
  return {
    tenantId: entry.tenant_id,
    site: {
      site_id: entry.site_id ?? entry.tenant_id,
      display_name: entry.display_name ?? entry.tenant_id,
      home_coordinates: entry.home_coordinates ?? null,
      vlans,
      time_zone: entry.time_zone ?? "UTC",
    },
    networks: [...new Set(networks)].map(toCidr),
    networksAssumed: entry.networks === undefined && vlans.length === 0,
  };
}

function toCidr(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === null) throw new TypeError(`expected a network, got "${text}"`);
  return cidr;
}
