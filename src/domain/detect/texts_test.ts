// Texts of every detector, for records with usual names and with the longest ones.
import assert from "node:assert/strict";
import { attackScenarios, sightingsOf } from "../../../test/support/detect/attack-scenarios.ts";
import { drive } from "../../../test/support/detect/detector-fixtures.ts";
import { tacticsOf, techniqueLabel, techniqueName } from "../../kit/attack.ts";
import { TITLE_LENGTH } from "../../kit/title-line.ts";
import type { DetectorResult } from "./kernel/result.ts";
import { DETECTORS } from "./registry.ts";

const NAMES = Object.fromEntries(
  ["10.0.0.5", "10.0.0.9", "10.0.0.53", "10.0.0.66"].map((ip) => [
    ip,
    `finance-department-workstation-with-a-long-name-${ip.replaceAll(".", "-")}.branch.example.org`,
  ]),
);

/** Words of sentences about other causes. */
const HARMLESS =
  /\b(also|so do|do the same|looks? the same|look like|look alike|looks? similar|work like|but only|too|often|usually|routine|rarely|harmless|explain|legitimate|on purpose|unless|may only|may be|a few programs|outdated)\b/i;

function results(long: boolean): DetectorResult[] {
  return attackScenarios(long).flatMap((scenario) => {
    const { before, attack } = sightingsOf(scenario, long ? { names: NAMES } : {});
    return drive(DETECTORS, [...before, ...attack], { round: 500, stored: false }).results;
  });
}

for (const long of [false, true]) {
  const names = long ? "the longest names" : "usual names";

  Deno.test(`texts of detectors: titles fit one line with ${names}`, () => {
    const all = results(long);
    assert.deepEqual(new Set(all.map(({ modelId }) => modelId)).size, DETECTORS.length);
    const tooLong = all.filter(({ title }) => title.length > TITLE_LENGTH || /[\r\n]/.test(title));
    assert.deepEqual(tooLong.map(({ title }) => title), []);
    // The device is named in full or from its beginning, unless the result is about a network.
    for (const { title, deviceId, modelId } of all) {
      const name = NAMES[deviceId?.replace("device ", "") ?? ""];
      if (long && name !== undefined && modelId !== "new-device") assert.match(title, /finance-depa/, title);
    }
  });

  Deno.test(`texts of detectors: scores, shares and confidences add up with ${names}`, () => {
    for (const { title, score, confidence, subScores, modifiers } of results(long)) {
      const parts = [...subScores, ...modifiers];
      const sum = parts.reduce((all, { value, weight }) => all + value * weight, 0);
      assert.ok(
        Math.abs(Math.min(100, Math.max(0, sum)) - score) <= 0.05001,
        `${title}: ${sum} is not ${score}`,
      );
      assert.equal(confidence, Math.round(confidence * 100) / 100, `${title}: at most two decimals`);
      assert.ok(confidence >= 0 && confidence <= 1, title);
      for (const { value, detail } of subScores) assert.ok(value >= 0 && value <= 1 && detail !== "", title);
    }
  });
}

Deno.test("texts of detectors: every technique has a name of its own and a tactic", () => {
  const techniques = [
    ...DETECTORS.map(({ info }) => info.technique),
    ...results(false).map((one) => one.technique),
  ];
  for (const technique of new Set(techniques)) {
    if (technique === null) continue;
    const [parent, child] = technique.split(".");
    assert.match(techniqueLabel(technique), /^T\d{4}(\.\d{3})? [A-Z]/);
    assert.ok(tacticsOf(technique).length > 0, technique);
    if (child !== undefined) assert.notEqual(techniqueName(technique), techniqueName(parent!), technique);
  }
});

Deno.test("texts of detectors: phrases and summaries are complete sentences of plain text", () => {
  for (const { title, phrase, summary, explanation } of results(false)) {
    assert.ok(phrase !== undefined && phrase !== "" && !phrase.endsWith("."), title);
    for (const text of [summary, explanation]) {
      assert.match(text, /\.$/, title);
      assert.doesNotMatch(text, /undefined|NaN|null|\s\s|\n/, title);
    }
    assert.match(
      explanation,
      /\b(check|find|ask|look|examine|locate|compare) /i,
      `${title}: what to check next`,
    );
    assert.match(explanation, HARMLESS, `${title}: what else it could be`);
  }
});

/** Counts of these models go on after the text was written, which is written again at growing counts. */
const GROWING: Readonly<Record<string, RegExp>> = {
  "long-connection": /open for \d|longest for \d|had \d|carried \d|(?<!at least |\d)\d+ connections? opened/i,
  "new-device": /(?<!at least |\d)\d+ (new )?devices/i,
  "rogue-dhcp": /(?<!at least |\d)\d+ clients?/,
  "rogue-dns": /(?<!at least |\d)\d+ (clients?|DNS queries)/,
  "type-contradiction": /(?<!at least |\d)\d+ (other machines?|clients?|machines|addresses)|\(\d/,
};

Deno.test("texts of detectors: counts that grow without a new text say at least", () => {
  const counted = new Set<string>();
  for (const { modelId, title, phrase, summary } of results(false)) {
    const pattern = GROWING[modelId];
    if (pattern === undefined) continue;
    for (const text of [title, phrase!, summary]) assert.doesNotMatch(text, pattern, modelId);
    if (/at least \d/i.test(summary)) counted.add(modelId);
  }
  assert.deepEqual([...counted].sort(), Object.keys(GROWING));
});
