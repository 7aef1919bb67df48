import assert from "node:assert/strict";
import fc from "fast-check";
import type { Activity } from "../activity.ts";
import type { AnchorClass } from "./anchors.ts";
import { device, type Sketch, slots } from "../../../../test/support/domain/identity-fixtures.ts";
import {
  type ActiveMerge,
  type IdentityState,
  pairOf,
  planIdentities,
  watchedDevices,
} from "./identity-plan.ts";

const MAC = "9c:b6:d0:1a:2b:3c";
const OTHER_MAC = "9c:b6:d0:44:55:66";

function state(sketches: Sketch[], more: Partial<IdentityState> = {}): IdentityState {
  return { devices: sketches.map(device), merges: [], separated: new Set(), ...more };
}

/** Activity from first to last seen, every `step` slots; nothing else is known. */
function activityOf(sketches: Sketch[], steps: Record<string, number> = {}): Map<string, Activity> {
  return new Map(sketches.map(({ ip, seen: [from, to] }) => [
    `device ${ip}`,
    { since: 0, slots: slots(from, to, steps[ip] ?? 1) },
  ]));
}

function plan(sketches: Sketch[], more: Partial<IdentityState> = {}) {
  const { undo, merge } = planIdentities(state(sketches, more), activityOf(sketches));
  const short = (id: string) => id.replace("device 10.0.0.", ".");
  return {
    merge: merge.map(({ from, into }) => `${short(from)} into ${short(into)}`),
    undo: undo.map(({ mergeId, cause, reason }) => ({ mergeId, cause, reason })),
  };
}

function merged(from: string, into: string, support: [AnchorClass, string][]): ActiveMerge {
  return {
    mergeId: `${from}>${into}`,
    from: `device 10.0.0${from}`,
    into: `device 10.0.0${into}`,
    support: support.map(([kind, value]) => ({ class: kind, value })),
  };
}

const LAPTOP: [AnchorClass, string][] = [["mac", MAC], ["dhcp_hostname", "annas-laptop"]];
const MOVES: Sketch[] = [
  { ip: "10.0.0.5", seen: [0, 8], anchors: LAPTOP },
  { ip: "10.0.0.6", seen: [24, 32], anchors: LAPTOP },
  { ip: "10.0.0.7", seen: [48, 56], anchors: LAPTOP },
];

Deno.test("a laptop that changes its address twice is one device, the first one", () => {
  assert.deepEqual(plan(MOVES), { merge: [".6 into .5", ".7 into .5"], undo: [] });
});

Deno.test("merged devices are not merged again", () => {
  const merges = [merged(".6", ".5", LAPTOP), merged(".7", ".5", LAPTOP)];
  assert.deepEqual(plan(MOVES, { merges }), { merge: [], undo: [] });
});

Deno.test("a device named by a person or the inventory survives, however recent", () => {
  const named = (standing: Sketch["standing"]) => MOVES.map((one, i) => i === 2 ? { ...one, standing } : one);
  assert.deepEqual(plan(named("human_confirmed")).merge, [".5 into .7", ".6 into .7"]);
  assert.deepEqual(plan(named("inventory")).merge, [".5 into .7", ".6 into .7"]);
});

Deno.test("a merged device that is named later replaces the survivor", () => {
  const sketches = MOVES.map((one, i) => i === 1 ? { ...one, standing: "inventory" as const } : one);
  const outcome = plan(sketches, { merges: [merged(".6", ".5", LAPTOP), merged(".7", ".5", LAPTOP)] });
  assert.deepEqual(outcome.undo, [
    { mergeId: ".6>.5", cause: "outranked", reason: "10.0.0.6 takes precedence because it was named" },
  ]);
  assert.deepEqual(outcome.merge, [".5 into .6"]);
});

const KEY: [AnchorClass, string][] = [["ssh_host_key", "SHA256:abc"], ["smb_host", "files-1"]];

Deno.test("clones running at the same time are not merged, nor is a third one that does not", () => {
  const clones: Sketch[] = [
    { ip: "10.0.0.5", seen: [0, 24], anchors: KEY },
    { ip: "10.0.0.6", seen: [0, 24], anchors: KEY },
    { ip: "10.0.0.7", seen: [48, 72], anchors: KEY },
  ];
  assert.deepEqual(plan(clones), { merge: [], undo: [] });
  assert.deepEqual(
    plan(clones.slice(1)).merge,
    [".7 into .6"],
    "without the first there is no contradiction",
  );
});

Deno.test("a merge ends when its support is in use elsewhere at the same time", () => {
  const sketches: Sketch[] = [
    { ip: "10.0.0.5", seen: [0, 8], anchors: KEY },
    { ip: "10.0.0.6", seen: [24, 48], anchors: KEY },
    { ip: "10.0.0.7", seen: [30, 48], anchors: KEY },
  ];
  const { undo, merge } = plan(sketches, { merges: [merged(".6", ".5", KEY)] });
  assert.deepEqual(undo, [{
    mergeId: ".6>.5",
    cause: "contradicted",
    reason: "several machines have SHA256:abc, files-1 at the same time",
  }]);
  assert.deepEqual(merge, []);
});

Deno.test("a merge ends when both sides are active at once", () => {
  const sketches: Sketch[] = [
    { ip: "10.0.0.5", seen: [0, 48], anchors: KEY },
    { ip: "10.0.0.6", seen: [24, 48], anchors: KEY },
  ];
  const { undo } = plan(sketches, { merges: [merged(".6", ".5", KEY)] });
  assert.equal(undo[0]?.reason, "both are active at the same time, under different addresses");
});

Deno.test("an address leased to another machine leaves its device, and the remaining ones stay together", () => {
  const sketches = MOVES.map((one, i) =>
    i === 0
      ? {
        ...one,
        seen: [0, 90] as [number, number],
        anchors: [...LAPTOP, ["mac", OTHER_MAC] as [AnchorClass, string]],
      }
      : one
  );
  const outcome = plan(sketches, { merges: [merged(".6", ".5", LAPTOP), merged(".7", ".5", LAPTOP)] });
  assert.deepEqual(outcome.undo.map(({ mergeId }) => mergeId), [".6>.5", ".7>.5"]);
  assert.match(outcome.undo[0]!.reason, /^10\.0\.0\.5 was used by several hardware addresses/);
  assert.deepEqual(outcome.merge, [".7 into .6"]);
});

Deno.test("separated devices are not merged again", () => {
  const separated = new Set([pairOf("device 10.0.0.6", "device 10.0.0.5")]);
  assert.deepEqual(plan(MOVES, { separated }).merge, [".7 into .5"]);
});

Deno.test("expired evidence does not end a merge", () => {
  const sketches = MOVES.slice(0, 2).map((one) => ({ ...one, anchors: [] }));
  assert.deepEqual(plan(sketches, { merges: [merged(".6", ".5", LAPTOP)] }), { merge: [], undo: [] });
});

Deno.test("a merge whose devices are gone is ignored", () => {
  assert.deepEqual(plan([], { merges: [merged(".6", ".5", LAPTOP)] }), { merge: [], undo: [] });
});

Deno.test("a MAC address at more places at once than a machine has adapters identifies nothing", () => {
  const sketches = (count: number): Sketch[] =>
    Array.from({ length: count }, (_, i) => ({ ip: `10.0.0.${i}`, seen: [0, 24], anchors: [["mac", MAC]] }));
  assert.equal(plan(sketches(3)).merge.length, 2);
  assert.deepEqual(plan(sketches(9)).merge, []);
});

Deno.test("only devices that could be the same are watched", () => {
  const sketches: Sketch[] = [
    { ip: "10.0.0.5", seen: [0, 24], anchors: KEY },
    { ip: "10.0.0.6", seen: [0, 24], anchors: KEY },
    { ip: "10.0.0.7", seen: [48, 72], anchors: KEY },
    { ip: "10.0.0.8", seen: [0, 72], anchors: [["smb_host", "other"]] },
    { ip: "10.0.0.9", seen: [0, 72], anchors: [["smb_host", "other"]] },
    { ip: "10.0.0.10", seen: [0, 72], anchors: [["mac", MAC]] },
    { ip: "10.0.0.11", seen: [0, 72], anchors: [["mac", MAC]] },
  ];
  assert.deepEqual(watchedDevices(state(sketches)).map(({ deviceId }) => deviceId), [
    "device 10.0.0.5",
    "device 10.0.0.6",
  ]);
});

/** Applies plans until none is left; returns the number of rounds. */
function roundsToConverge(start: IdentityState, activity: Map<string, Activity>): number {
  let now = start;
  for (let round = 0; round < 100; round++) {
    const { undo, merge } = planIdentities(now, activity);
    if (undo.length + merge.length === 0) return round;
    const undone = new Set(undo.map(({ mergeId }) => mergeId));
    const contradicted = undo.filter(({ cause }) => cause === "contradicted");
    now = {
      ...now,
      merges: [
        ...now.merges.filter(({ mergeId }) => !undone.has(mergeId)),
        ...merge.map((one, i) => ({ ...one, mergeId: `${round} ${i}` })),
      ],
      separated: new Set([...now.separated, ...contradicted.map(({ from, into }) => pairOf(from, into))]),
    };
  }
  return Infinity;
}

Deno.test("plans are consistent, and applying them converges", () => {
  const anchors: fc.Arbitrary<[AnchorClass, string]> = fc.oneof(
    fc.tuple(fc.constant<AnchorClass>("mac"), fc.constantFrom(MAC, OTHER_MAC, "da:a1:19:00:11:22")),
    fc.tuple(
      fc.constantFrom<AnchorClass>("dhcp_hostname", "smb_host"),
      fc.constantFrom("anna", "bob-2", "localhost"),
    ),
    fc.tuple(fc.constant<AnchorClass>("ssh_host_key"), fc.constantFrom("k1", "k2")),
    fc.tuple(fc.constant<AnchorClass>("tls_certificate"), fc.constantFrom("c1", "c2")),
    fc.tuple(fc.constant<AnchorClass>("kerberos_principal"), fc.constantFrom("ws$@R", "anna@R")),
  );
  const sketch = fc.record({
    seen: fc.tuple(fc.nat(60), fc.nat(30)).map(([from, length]): [number, number] => [from, from + length]),
    standing: fc.constantFrom<Sketch["standing"]>("observed", "inventory", "human_confirmed"),
    anchors: fc.array(anchors, { maxLength: 4 }),
  });
  fc.assert(fc.property(fc.array(sketch, { maxLength: 9 }), (drafts) => {
    const sketches = drafts.map((draft, i): Sketch => ({ ip: `10.0.0.${i}`, ...draft }));
    const before = state(sketches);
    const { undo, merge } = planIdentities(before, activityOf(sketches));
    assert.deepEqual(undo, []);
    assert.equal(new Set(merge.map(({ from }) => from)).size, merge.length, "no device is merged into two");
    for (const { from, into, support, weight } of merge) {
      const [loser, survivor] = [from, into].map((id) => before.devices.find((one) => one.deviceId === id)!);
      assert.ok(!(loser!.standing === "human_confirmed"), "a confirmed device is never hidden");
      assert.ok(survivor!.standing !== "observed" || loser!.standing === "observed");
      assert.ok(weight >= 0.8);
      assert.ok(
        support.some((one) => !(one.class === "mac" && one.value.startsWith("da:"))),
        "never a randomized MAC alone",
      );
    }
    assert.ok(roundsToConverge(before, activityOf(sketches)) <= sketches.length + 2);
  }));
});
