import assert from "node:assert/strict";
import { describeWithInventory, type DeviceDescription, differs, type InventoryEntry } from "./inventory.ts";

const SEEN: DeviceDescription = {
  displayName: "10.0.0.4",
  displayNameSource: "address",
  deviceType: "web_server",
  classificationSource: "observed",
  confidence: 0.5,
  owner: null,
  ownerSource: null,
  tags: [],
  tagsSource: null,
};
const OBSERVED = { displayName: "10.0.0.4", deviceType: "web_server", confidence: 0.5 };
const ENTRY: InventoryEntry = {
  name: "NEWYORK",
  type: "domain_controller",
  owner: "IT",
  tags: ["tier-0", "windows"],
};
const KNOWN: DeviceDescription = {
  displayName: "NEWYORK",
  displayNameSource: "inventory",
  deviceType: "domain_controller",
  classificationSource: "inventory",
  confidence: 0.9,
  owner: "IT",
  ownerSource: "inventory",
  tags: ["tier-0", "windows"],
  tagsSource: "inventory",
};

Deno.test("the inventory sets name, type, owner and tags, and takes all of it back", () => {
  assert.deepEqual(describeWithInventory(SEEN, ENTRY, OBSERVED), KNOWN);
  assert.deepEqual(describeWithInventory(KNOWN, ENTRY, OBSERVED), KNOWN);
  assert.deepEqual(describeWithInventory(KNOWN, null, OBSERVED), SEEN);
  assert.deepEqual(describeWithInventory(SEEN, null, OBSERVED), SEEN);
});

Deno.test("fields missing from the inventory revert to observation", () => {
  const bare = { name: "NEWYORK", type: null, owner: null, tags: [] };
  const expected = { ...SEEN, displayName: "NEWYORK", displayNameSource: "inventory" };
  assert.deepEqual(describeWithInventory(SEEN, bare, OBSERVED), expected);
  assert.deepEqual(describeWithInventory(KNOWN, bare, OBSERVED), expected, "also if it stated them before");
});

Deno.test("an observed name is replaced, and does not return by itself", () => {
  const leased: DeviceDescription = { ...SEEN, displayName: "newyork-old", displayNameSource: "dhcp" };
  assert.equal(describeWithInventory(leased, ENTRY, OBSERVED).displayName, "NEWYORK");
  assert.deepEqual(describeWithInventory(leased, null, OBSERVED), leased);
});

Deno.test("a person's values stay, field by field", () => {
  const confirmed: DeviceDescription = {
    ...SEEN,
    deviceType: "printer",
    classificationSource: "human_confirmed",
    confidence: 1,
    tags: ["lab"],
    tagsSource: "person",
  };
  assert.deepEqual(describeWithInventory(confirmed, ENTRY, OBSERVED), {
    ...confirmed,
    displayName: "NEWYORK",
    displayNameSource: "inventory",
    owner: "IT",
    ownerSource: "inventory",
  });
  const cleared: DeviceDescription = { ...confirmed, ownerSource: "person", displayNameSource: "person" };
  assert.deepEqual(describeWithInventory(cleared, ENTRY, OBSERVED), cleared, "also the absence of an owner");
  assert.deepEqual(describeWithInventory(cleared, null, OBSERVED), cleared);
});

Deno.test("any difference counts, including tags", () => {
  assert.equal(differs(KNOWN, { ...KNOWN, tags: [...KNOWN.tags] }), false);
  for (
    const other of [
      { displayName: "x" },
      { confidence: 0.8 },
      { owner: null },
      { tagsSource: null },
      { tags: ["windows", "tier-0"] },
      { tags: ["tier-0"] },
    ]
  ) assert.equal(differs(KNOWN, { ...KNOWN, ...other }), true, JSON.stringify(other));
});
