import { z } from "zod";
import { line } from "../contract/request/common.ts";
import { canonicalIp } from "../kit/net/ip.ts";
import type { Faults } from "./yaml/faults.ts";
import { Identifier } from "./yaml/ids.ts";
import { type ConfigInput, readText } from "./yaml/input.ts";
import { claim, type Faultless, section, YamlFile } from "./yaml/yaml.ts";

/** A device in the deployment's inventory and its keys: at least one address of either kind. */
export interface InventoryDevice {
  name: string;
  /** A type of the service or a custom one; null leaves it to classification. */
  type: string | null;
  owner: string | null;
  /** Sorted and distinct. */
  tags: string[];
  /** Canonical texts. */
  addresses: string[];
  /** `aa:bb:cc:dd:ee:ff`. */
  macAddresses: string[];
}

/** The known devices of a tenant, in file order. */
export interface TenantInventory {
  tenantId: string;
  devices: InventoryDevice[];
}

const INVENTORY_FILE = "inventory.yaml";

const Address = z.string().superRefine((text, context) => {
  const canonical = canonicalIp(text);
  if (canonical === text) return;
  const message = canonical === null
    ? `expected an address, got "${text}"`
    : `expected the canonical address ${canonical}, got "${text}"`;
  context.addIssue({ code: "custom", message });
});

/** With colons, hyphens, or the dots of some switches, in any case. */
const MacAddress = z.string()
  .regex(
    /^(?:[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})$/i,
    "expected a MAC address such as 00:16:3e:5a:00:01",
  )
  .transform((text) => text.toLowerCase().replaceAll(/[:.-]/g, "").replaceAll(/(..)(?!$)/g, "$1:"));

const Device = section({
  name: line(128),
  type: line(64).optional(),
  owner: line(128).optional(),
  tags: z.array(line(64)).max(32).optional(),
  addresses: z.array(Address).optional(),
  mac_addresses: z.array(MacAddress).optional(),
});

const Entry = section({ tenant_id: Identifier, devices: z.array(Device) });

/**
 * Reads `inventory.yaml`: `inventory:` with one entry per tenant, and in it `devices:`. `null` if the file
 * does not exist. Faults go to `faults`; the result must not be used then.
 *
 * @param tenants tenants of sensors and sites; null if unknown because of their faults
 */
export function readInventory(
  input: ConfigInput,
  configDir: string,
  faults: Faults,
  tenants: ReadonlySet<string> | null,
): TenantInventory[] | null {
  const path = `${configDir}/${INVENTORY_FILE}`;
  const text = readText(input, path, faults);
  return text === null ? null : parseInventory(text, path, faults, tenants);
}

export function parseInventory(
  text: string,
  path: string,
  faults: Faults,
  tenants: ReadonlySet<string> | null,
): TenantInventory[] {
  const file = YamlFile.parse(text, path, faults);
  if (file === null) return [];
  const seen = new Map<string, string>();
  const inventory: TenantInventory[] = [];
  for (const [index, { path: at, value, valid }] of file.list("inventory", Entry).entries()) {
    const tenantId = valid.tenant_id;
    if (tenantId !== undefined) {
      claim(
        seen,
        tenantId,
        `inventory[${index}]`,
        (first) => file.fault([...at, "tenant_id"], `expected one entry per tenant, but ${first} has it too`),
      );
    }
    if (tenantId !== undefined && tenants?.has(tenantId) === false) {
      file.fault([...at, "tenant_id"], "expected a tenant that a sensor or a site names");
    }
    checkKeys(file, [...at, "devices"], valid.devices ?? []);
    if (value === null) continue;
    inventory.push({ tenantId: value.tenant_id, devices: value.devices.map(toDevice) });
  }
  return inventory;
}

type Device = z.infer<typeof Device>;

/** Every device has at least one key, and no two share one. */
function checkKeys(file: YamlFile, at: readonly PropertyKey[], devices: Faultless<Device[]>): void {
  const holders = new Map<string, string>();
  for (const [index, device] of devices.entries()) {
    let keys = 0;
    for (const list of ["addresses", "mac_addresses"] as const) {
      for (const [place, key] of (device?.[list] ?? []).entries()) {
        keys++;
        if (key === undefined) continue;
        claim(
          holders,
          key,
          `devices[${index}]`,
          (first) =>
            file.fault(
              [...at, index, list, place],
              `expected one device with ${key}, but ${first} has it too`,
            ),
        );
      }
    }
    if (keys === 0 && device !== undefined) {
      file.fault([...at, index], "expected at least one of addresses and mac_addresses");
    }
  }
}

function toDevice(device: Device): InventoryDevice {
  return {
    name: device.name,
    type: device.type ?? null,
    owner: device.owner ?? null,
    tags: [...new Set(device.tags)].sort(),
    addresses: device.addresses ?? [],
    macAddresses: device.mac_addresses ?? [],
  };
}
