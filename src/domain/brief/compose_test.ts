import assert from "node:assert/strict";
import { BRIEF_ROWS } from "../../contract/brief/brief.ts";
import { composeBrief, silentHours } from "./compose.ts";
import { dayOf } from "./day.ts";
import { briefOfNothing, incident, manyFacts } from "../../../test/support/domain/brief-facts.ts";

const ZONE = "Europe/Berlin";

Deno.test("a quiet day is two sentences, and still shows sensors", () => {
  const brief = composeBrief(briefOfNothing());
  assert.deepEqual(brief.summary, [
    "The day was quiet: no incident was opened or closed, and no device was seen for the first time.",
    "No incident is open, and nothing waits for a decision.",
  ]);
  assert.deepEqual(brief.unknown, []);
  assert.deepEqual(brief.sensors.sentences, [
    "The sensor delivered records in every hour that is known.",
    "No change of health was recorded.",
  ]);
  assert.equal(brief.sensors.coverage.items[0]!.received.length, 24);
  assert.deepEqual(brief.traffic.sentences, ["No flow was observed."]);
});

Deno.test("numbers agree with their nouns and verbs", () => {
  const one = composeBrief(briefOfNothing({
    opened: { value: 1, previous: 0 },
    openedBySeverity: { high: 1 },
    closed: { value: 1, previous: 0 },
    newDevices: { value: 1, previous: 0 },
    openNow: 1,
    proposals: { items: [], total: 1 },
  }));
  assert.deepEqual(one.summary, [
    "1 incident was opened: 1 high.",
    "1 incident was closed.",
    "1 device was seen for the first time.",
    "1 incident is open, and 1 proposal waits for a decision.",
  ]);
  const more = composeBrief(briefOfNothing({
    opened: { value: 3, previous: 0 },
    openedBySeverity: { high: 1, medium: 2 },
    openNow: 2,
    actions: { items: [], total: 1 },
    proposals: { items: [], total: 2 },
  }));
  assert.deepEqual(more.summary, [
    "3 incidents were opened: 1 high and 2 medium.",
    "2 incidents are open, and 1 response action and 2 proposals wait for a decision.",
  ]);
});

Deno.test("the oldest decision has waited since a day of the site", () => {
  const proposal = {
    proposal_id: "p",
    kind: "triage",
    reason: "Ours.",
    created_at: "2026-01-30T23:30:00.000Z",
  } as const;
  const brief = composeBrief(briefOfNothing({ proposals: { items: [proposal], total: 1 } }));
  assert.deepEqual(brief.decisions.sentences, [
    "1 proposal waits for a decision, the oldest since Saturday, 31 January 2026.",
  ]);
});

Deno.test("nothing is a singular", () => {
  const brief = composeBrief(briefOfNothing({ newDevices: { value: 2, previous: 0 } }));
  assert.deepEqual(brief.summary.slice(0, 2), [
    "No incident was opened.",
    "2 devices were seen for the first time.",
  ]);
  assert.deepEqual(brief.incident_changes.sentences, ["No incident was opened."]);
});

Deno.test("what is known of a day does not turn what is unknown into nothing", () => {
  const brief = composeBrief(briefOfNothing({
    recordsSince: dayOf("2026-02-03", ZONE).from,
    opened: { value: null, previous: null },
    newDevices: { value: 9, previous: null },
  }));
  const unknown = "Whether incidents were opened on this day is unknown.";
  assert.deepEqual(brief.summary.slice(0, 2), [unknown, "9 devices were seen for the first time."]);
  assert.deepEqual(brief.incident_changes.sentences, [unknown]);
});

Deno.test("what is unknown is never zero", () => {
  const unknown = { value: null, previous: null };
  const brief = composeBrief(briefOfNothing({
    recordsSince: dayOf("2026-02-03", ZONE).from,
    opened: unknown,
    newDevices: unknown,
    flows: unknown,
    bytes: unknown,
    silentHours: unknown,
    sensors: [{ sensorId: "zeek-1", received: Array(24).fill(null) }],
  }));
  assert.equal(
    brief.summary[0],
    "What happened on the network on this day is unknown: no records of it are kept.",
  );
  assert.deepEqual(brief.unknown, [
    "The oldest records that are kept were received on Tuesday, 3 February 2026 at 00:00 (Europe/Berlin), so what the sensors " +
    "delivered before is unknown.",
  ]);
  assert.deepEqual(brief.traffic.sentences, ["The traffic of this day is unknown."]);
  assert.deepEqual(brief.incident_changes.sentences, [
    "Whether incidents were opened on this day is unknown.",
  ]);
  assert.equal(brief.sensors.sentences[0], "In which hours the sensors delivered records is unknown.");
  assert.equal(brief.figures.flows.value, null);
  assert.equal(silentHours([{ sensorId: "a", received: [null, null] }]), null);
  assert.equal(silentHours([{ sensorId: "a", received: [null, true, false] }]), 1);
});

Deno.test("a day with a clock change states its length", () => {
  const day = dayOf("2026-10-25", ZONE);
  const brief = composeBrief(briefOfNothing({ date: "2026-10-25", ...day, now: day.to }));
  assert.deepEqual(brief.unknown, ["The clocks changed on this day, so it has 25 hours."]);
});

Deno.test("today is the brief so far and compares nothing", () => {
  const day = dayOf("2026-01-30", ZONE);
  const brief = composeBrief(briefOfNothing({
    now: day.to - 1,
    flows: { value: 12, previous: 99 },
    bytes: { value: 5_000, previous: 9_000 },
  }));
  assert.equal(brief.complete, false);
  assert.match(brief.summary[0]!, /^The day has been quiet so far: /);
  assert.deepEqual(brief.traffic.sentences, [
    "12 flows carried 5.00 kB so far. The comparison follows when the day is over.",
  ]);
});

Deno.test("traffic is compared in words", () => {
  const words = (value: number, previous: number | null) =>
    composeBrief(briefOfNothing({ flows: { value: 1, previous: 1 }, bytes: { value, previous } })).traffic
      .sentences[0];
  assert.equal(words(1120, 1000), "1 flow carried 1.12 kB, 12 % more than the day before (1.00 kB).");
  assert.equal(words(880, 1000), "1 flow carried 880 B, 12 % less than the day before (1.00 kB).");
  assert.equal(words(1001, 1000), "1 flow carried 1.00 kB, about as much as the day before (1.00 kB).");
  assert.equal(words(4200, 1000), "1 flow carried 4.20 kB, 4.2 times as much as the day before (1.00 kB).");
  assert.equal(words(7, 0), "1 flow carried 7 B, after nothing on the day before (0 B).");
  assert.equal(words(7, null), "1 flow carried 7 B. The day before is unknown, so nothing is compared.");
});

Deno.test("silent sensors are named with their hours, and the rest counted", () => {
  const silent = (sensorId: string, hours: number) => ({
    sensorId,
    received: Array.from({ length: 24 }, (_, hour) => hour >= hours),
  });
  const brief = composeBrief(briefOfNothing({
    sensors: [silent("a", 1), silent("b", 3), silent("c", 0), silent("d", 2), silent("e", 1)],
    silentHours: { value: 7, previous: 0 },
  }));
  assert.equal(
    brief.sensors.sentences[0],
    "No records came from b in 3 of 24 hours, d in 2 of 24 hours, a in 1 of 24 hours and 1 more sensor: check these sensors " +
      "in Health.",
  );
  assert.deepEqual(brief.sensors.coverage.items.map(({ sensor_id }) => sensor_id), ["b", "d", "a", "e", "c"]);
});

Deno.test("every list is bounded and says how many more there are; long texts are cut", () => {
  const brief = composeBrief(manyFacts());
  assert.equal(brief.incident_changes.opened.items.length, BRIEF_ROWS.incidents);
  assert.equal(brief.incident_changes.opened.more, 500 - BRIEF_ROWS.incidents);
  assert.equal(brief.sensors.coverage.items.length, BRIEF_ROWS.sensors);
  assert.ok(brief.sensors.coverage.more > 0);
  assert.ok(brief.incident_changes.opened.items.every(({ title }) => title.length <= 90));
  const long = composeBrief(briefOfNothing({
    openedIncidents: { items: [incident({ title: "x".repeat(240) })], total: 1 },
  }));
  assert.equal(long.incident_changes.opened.items[0]!.title.length, 90);
});
