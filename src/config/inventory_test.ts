import assert from "node:assert/strict";
import { Faults, formatFault } from "./yaml/faults.ts";
import { parseInventory, readInventory, type TenantInventory } from "./inventory.ts";

const TENANTS = new Set(["main", "branch"]);

function parse(text: string): { inventory: TenantInventory[]; faults: string[] } {
  const faults = new Faults();
  const inventory = parseInventory(text, "inventory.yaml", faults, TENANTS);
  return { inventory, faults: faults.list.map(formatFault) };
}

Deno.test("devices with all keys, and with only a name and an address", () => {
  const { inventory, faults } = parse(`
inventory:
  - tenant_id: main
    devices:
      - name: " NEWYORK "
        type: domain_controller
        owner: IT operations
        tags: [tier-0, windows, tier-0]
        addresses: [10.0.0.4, "fd00::4"]
        mac_addresses: [00:16:3E:5A:00:01, 00-16-3e-5a-00-02, 0016.3e5a.0003]
      - { name: Label printer, mac_addresses: [02:00:00:00:00:07] }
  - tenant_id: branch
    devices: [{ name: Till, addresses: [10.0.0.4] }]
`);
  assert.deepEqual(faults, []);
  assert.deepEqual(inventory, [
    {
      tenantId: "main",
      devices: [
        {
          name: "NEWYORK",
          type: "domain_controller",
          owner: "IT operations",
          tags: ["tier-0", "windows"],
          addresses: ["10.0.0.4", "fd00::4"],
          macAddresses: ["00:16:3e:5a:00:01", "00:16:3e:5a:00:02", "00:16:3e:5a:00:03"],
        },
        {
          name: "Label printer",
          type: null,
          owner: null,
          tags: [],
          addresses: [],
          macAddresses: ["02:00:00:00:00:07"],
        },
      ],
    },
    {
      tenantId: "branch",
      devices: [{
        name: "Till",
        type: null,
        owner: null,
        tags: [],
        addresses: ["10.0.0.4"],
        macAddresses: [],
      }],
    },
  ]);
});

Deno.test("every fault of inventory.yaml is reported with its place", () => {
  const { faults } = parse(`inventory:
  - tenant_id: main
    devices:
      - { name: "", addresses: [10.0.0.04], mac_addresses: ["00:16:3e-5a:00:01"] }
      - { addresses: [10.0.0.0/8], tags: ["a\\tb"], vlan: 10 }
  - tenant_id: main
    devices:
      - { name: one, addresses: [10.0.0.1, 10.0.0.2] }
      - { name: two, addresses: [10.0.0.2], mac_addresses: [02:00:00:00:00:01] }
      - { name: three, mac_addresses: [02-00-00-00-00-01] }
      - name: four
        owner: nobody
  - { tenant_id: elsewhere, devices: [] }
  - { tenant_id: branch }
`);
  assert.deepEqual(faults, [
    "inventory.yaml:4:17: inventory[0].devices[0].name: expected at least 1 character",
    'inventory.yaml:4:33: inventory[0].devices[0].addresses[0]: expected an address, got "10.0.0.04"',
    "inventory.yaml:4:61: inventory[0].devices[0].mac_addresses[0]: " +
    "expected a MAC address such as 00:16:3e:5a:00:01",
    "inventory.yaml:5:9: inventory[0].devices[1].name: expected a text, but it is missing",
    "inventory.yaml:5:43: inventory[0].devices[1].tags[0]: expected no control characters",
    'inventory.yaml:5:23: inventory[0].devices[1].addresses[0]: expected an address, got "10.0.0.0/8"',
    "inventory.yaml:5:52: inventory[0].devices[1].vlan: unknown key, " +
    "expected one of name, type, owner, tags, addresses, mac_addresses",
    "inventory.yaml:14:5: inventory[3].devices: expected a list, but it is missing",
    "inventory.yaml:6:16: inventory[1].tenant_id: expected one entry per tenant, but inventory[0] has it too",
    "inventory.yaml:9:34: inventory[1].devices[1].addresses[0]: " +
    "expected one device with 10.0.0.2, but devices[0] has it too",
    "inventory.yaml:10:40: inventory[1].devices[2].mac_addresses[0]: " +
    "expected one device with 02:00:00:00:00:01, but devices[1] has it too",
    "inventory.yaml:11:9: inventory[1].devices[3]: expected at least one of addresses and mac_addresses",
    "inventory.yaml:13:18: inventory[2].tenant_id: expected a tenant that a sensor or a site names",
  ]);
});

Deno.test("an address in another spelling is refused, because it would match nothing", () => {
  const { faults } = parse(
    'inventory: [{ tenant_id: main, devices: [{ name: a, addresses: ["FD00::0:4"] }] }]',
  );
  assert.deepEqual(faults, [
    "inventory.yaml:1:65: inventory[0].devices[0].addresses[0]: " +
    'expected the canonical address fd00::4, got "FD00::0:4"',
  ]);
});

Deno.test("without the file there is no inventory", () => {
  const faults = new Faults();
  const input = {
    env: () => undefined,
    readFile: (path: string): Uint8Array => {
      throw new Deno.errors.NotFound(path);
    },
  };
  assert.equal(readInventory(input, "/etc/ndr", faults, TENANTS), null);
  assert.deepEqual(faults.list, []);
});

Deno.test("common mistakes get a hint", () => {
  const faultsOf = (text: string) => parse(text).faults;
  assert.deepEqual(faultsOf("# - nothing yet\n"), [
    "inventory.yaml:1:1: expected a mapping with inventory, not nothing",
  ]);
  assert.deepEqual(faultsOf("- tenant_id: main\n"), [
    "inventory.yaml:1:1: expected a mapping with inventory, not a list",
  ]);
  const tags = Array.from({ length: 33 }, (_, n) => `t${n}`).join(", ");
  assert.deepEqual(
    faultsOf(`inventory:
  - tenant_id: main
    devices:
      - { name: 12, mac_addresses: [001122334455], tags: [${tags}] }
      - router
`),
    [
      "inventory.yaml:4:17: inventory[0].devices[0].name: expected a text, not a number: put it in quotes",
      "inventory.yaml:4:58: inventory[0].devices[0].tags: expected at most 32 entries",
      "inventory.yaml:4:37: inventory[0].devices[0].mac_addresses[0]: " +
      "expected a text, not a number: put it in quotes",
      "inventory.yaml:5:9: inventory[0].devices[1]: " +
      "expected a mapping with name, type, owner, tags, addresses, mac_addresses, not a text",
    ],
  );
});

Deno.test("names, types, owners and tags are plain text, as in the API", () => {
  const { inventory, faults } = parse(String.raw`
inventory:
  - tenant_id: main
    devices:
      - { name: "a\u202eb", type: "c\u200bd", owner: "e\u2066f", tags: ["g\u2028h"], addresses: [10.0.0.4] }
`);
  assert.deepEqual(faults, []);
  const { name, type, owner, tags } = inventory[0]!.devices[0]!;
  assert.deepEqual([name, type, owner, tags], [
    "a\\u{202e}b",
    "c\\u{200b}d",
    "e\\u{2066}f",
    ["g\\u{2028}h"],
  ]);
});
