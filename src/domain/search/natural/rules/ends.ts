import { countryName } from "../../../../contract/filter/countries.ts";
import { comparatorAt } from "../values/amount.ts";
import type { Token } from "../words/token.ts";
import { isTypeBefore, lengthOfOne, phraseAt, USING } from "../values/context.ts";
import { entitiesAt, type Entity, entityAt } from "../values/entity.ts";
import { vlanAt, vlanNameAt } from "../values/value.ts";
import { AS_FLOWS, EITHER, OF_THE_SITE, type Reader } from "./reader.ts";
import { type Rule, rule } from "./rule.ts";

/** Words before the address of a device that is asked for. */
const OF_DEVICE: ReadonlySet<string> = new Set(
  ("is are was were has have had owns not except than of in on for with ip address device devices host hosts machine " +
    "machines the like who's when").split(" "),
);

const PORT_SIDES: Readonly<Record<string, "src" | "dst">> = {
  source: "src",
  src: "src",
  destination: "dst",
  dst: "dst",
};
const OTHER_THAN = ["other than", "except", "but", "not", "excluding", "besides"];

/** Ports with a word for their side, in a range, above or below one, or all but some ports. */
function portAt({ all, at }: Reader) {
  const side = PORT_SIDES[all[at]!.text];
  // `high ports above 50000`.
  const isHigh = all[at]!.text === "high" && rangeAt(all, at + 2) !== null;
  const noun = at + (side === undefined && !isHigh ? 0 : 1);
  if (all[noun]?.singular !== "port") return null;
  const range = rangeAt(all, noun + 1);
  if (range !== null) return { ...range, side, length: range.end - at };
  const other = lengthOfOne(all, noun + 1, OTHER_THAN);
  if (side === undefined && other === 0) return null;
  const values: number[] = [];
  let end = noun + 1 + other;
  for (let next = end; all[next]?.kind === "number"; next = end + 1) {
    values.push(all[next]!.value!);
    end = next + 1;
    if (!["or", "and", ","].includes(all[end]?.text ?? "")) break;
  }
  return values.length === 0 ? null : {
    side,
    op: other > 0 ? "!=" as const : "matches" as const,
    value: values.length === 1 ? values[0]! : values,
    length: end - at,
  };
}

/** `5900-5910`, `8000 to 8100`, `between 1 and 1023`, `above 50000`. */
function rangeAt(
  all: readonly Token[],
  at: number,
): { op: "range" | "<" | "<=" | ">" | ">="; value: number | number[]; end: number } | null {
  const [, low, high] = /^(\d{1,5})-(\d{1,5})$/.exec(all[at]?.text ?? "") ?? [];
  if (low !== undefined) return rangeOf(Number(low), Number(high), at + 1);
  const isBetween = all[at]?.text === "between" || all[at]?.text === "from";
  const first = at + (isBetween ? 1 : 0);
  const joint = all[first + 1]?.text ?? "";
  if (isBetween ? /^(?:and|to)$/.test(joint) : /^(?:to|through|-)$/.test(joint)) {
    return rangeOf(all[first]?.value ?? 0, all[first + 2]?.value ?? 0, first + 3);
  }
  const bound = comparatorAt(all, at);
  const number = bound === null ? undefined : all[at + bound.length];
  return number?.kind === "number"
    ? { op: bound!.op, value: number.value!, end: at + bound!.length + 1 }
    : null;
}

function rangeOf(
  low: number,
  high: number,
  end: number,
): { op: "range"; value: number[]; end: number } | null {
  return low > 0 && low <= high && high < 65_536 ? { op: "range", value: [low, high], end } : null;
}

/** Ends of flows that are known by their form or by a list. */
export const END_RULES: readonly Rule[] = [
  rule({
    name: "the name of a VLAN",
    pattern: ({ all, at, asked }) => vlanAt(all, at, asked),
    effect(reader, { vlan, hasNoun }) {
      // `servers that were contacted by guests`.
      const isDoer = [reader.word(-1), reader.word(-2)].includes("by");
      if (reader.role === "dst" || reader.role === "src" && isDoer) reader.askAsFlows();
      if (!hasNoun) reader.reading.notes.push(`Read "${vlan}" as the VLAN.`);
      reader.add({ field: "vlan", op: "matches", value: vlan });
    },
  }),
  rule({
    name: "between two VLANs",
    pattern({ all, at, asked }) {
      const first = all[at]?.text === "between" ? vlanAt(all, at + 1, asked) : null;
      if (first === null || all[at + 1 + first.length]?.text !== "and") return null;
      // `between office and servers`.
      const second = vlanAt(all, at + 2 + first.length, asked) ??
        vlanNameAt(all, at + 2 + first.length, asked);
      return second &&
        {
          names: [first.vlan, "vlan" in second ? second.vlan : second.name],
          length: first.length + 2 + second.length,
        };
    },
    effect(reader, { names }) {
      for (const value of names) reader.add({ field: "vlan", op: "matches", value });
    },
  }),
  // A flow with both ends.
  rule({
    name: "between two ends",
    pattern({ all, at }) {
      const first = all[at]?.text === "between" ? entityAt(all, at + 1) : null;
      if (first === null || all[at + 1 + first.length]?.text !== "and") return null;
      const second = entityAt(all, at + 2 + first.length);
      return second?.type === first.type ? { first, second, length: first.length + 2 + second.length } : null;
    },
    effect(reader, { first, second }) {
      for (const { type, value } of [first, second]) reader.addEntity({ type, values: [value] }, "either");
    },
  }),
  // `source port 443`, `ports other than 443`.
  rule({
    name: "a port of a side",
    pattern: portAt,
    effect(reader, { side, op, value }) {
      reader.role = side ?? reader.role;
      // What stands after a source is still a port that is contacted. `!=` is another port, not no flow with these: a
      // device can have both.
      reader.add({ field: `${side ?? "dst"}.port`, op, value });
    },
  }),
  // `addresses in China`, `any host which is not in Germany`, `to anything not in 10.0.0.0/8`.
  rule({
    name: "hosts of a place",
    pattern({ all, at }) {
      const noun = all[at]!.singular;
      if (!PLACED.test(noun) && !PRONOUN.test(noun)) return null;
      let next = at + 1;
      next += lengthOfOne(all, next, ["which are", "that are", "which is", "that is", "located", "based"]);
      const not = lengthOfOne(all, next, ["not"]);
      next += not + lengthOfOne(all, next + not, ["located", "based"]);
      const place = lengthOfOne(all, next, [
        "in",
        "from",
        "inside",
        "of",
        "outside",
        "outside of",
        "in the",
        "outside the",
        "outside of the",
      ]);
      const found = place === 0 ? null : entitiesAt(all, next + place);
      const type = found?.entity.type;
      if (found === null || !(type === "address" || type === "country" && PLACED.test(noun))) return null;
      return {
        ...found,
        isNegated: not > 0 || all[next]!.text === "outside",
        length: next + place + found.length - at,
      };
    },
    guard: ({ role }) => role !== null,
    effect(reader, { entity, isNegated }) {
      if (isNegated) reader.negate();
      reader.addEntity(entity, reader.role!);
    },
  }),
  rule({
    name: "an end",
    pattern: ({ all, at }) => entitiesAt(all, at),
    effect(reader, { entity, isOwner, isBoth, isCode, length }) {
      if (isBoth && !reader.isNegated) reader.reading.notes.push(EITHER);
      if (isCode) {
        const words = reader.all.slice(reader.at, reader.at + length).map(({ typed }) => typed).join(" ");
        const names = entity.values.map((code) => countryName(String(code))).join(", ");
        reader.reading.notes.push(`Read "${words}" as ${names}.`);
      }
      const isEnd = entity.type !== "fingerprint" && entity.type !== "technique";
      if (reader.role === null && !isOwner && isEnd) {
        reader.subject = { index: reader.reading.conditions.length, entity };
      }
      const before = reader.word(-1) ?? "";
      const { kind, hasType } = reader.reading;
      // `dns servers other than 10.0.0.1`, `who used ip 10.0.0.5`.
      const isOfDevices = kind === "devices" ||
        kind === null && hasType && (reader.isNegated || before === "is");
      const isUsed = USING.has(before) && reader.token()!.kind === "word";
      // `who connected to port 3389 on 10.0.0.5` asks for the others.
      const isPlace = isOfDevices && entity.type === "address" && isOfOneAddress(entity) &&
        (reader.hasVerb || reader.reading.topics.has("logon")) && /^(?:on|of|at)$/.test(before);
      if (isPlace) {
        reader.role = "dst";
        reader.assume(`${entity.values.join(", ")} is the destination`);
      }
      // `how many hosts did 10.0.0.5 scan`.
      const isActor = isOfDevices && ["did", "does"].includes(before);
      if (isActor) reader.reading.notes.push(OF_THE_SITE);
      const isDevice = isOfDevices && !isActor && entity.type === "address" &&
          (reader.role === null || isUsed ||
            reader.role === "either" && ["of", "in", "on", "for", "owns"].includes(before)) ||
        // `the server 10.0.0.5`.
        entity.type === "address" && hasType && reader.role === null && isTypeBefore(reader.all, reader.at) ||
        // `the device at 10.0.0.5`.
        entity.type === "address" && before === "at" && isTypeOrDevice(reader.word(-2)) ||
        // `is 10.0.0.5 a printer`.
        entity.type === "address" && before === "is" && reader.at === 1 && isOfOneAddress(entity) &&
          /^(?:an?|the|our)$/.test(reader.word(length) ?? "") ||
        // `when was 10.0.0.5 last seen`.
        entity.type === "address" && reader.word(length) === "last" && reader.word(length + 1) === "seen";
      const isNetwork = entity.type === "address" && !isOfOneAddress(entity);
      if (isNetwork && !isDevice && ["in", "inside", "within"].includes(before)) {
        reader.assume(`one end in ${entity.values.join(", ")} is enough`);
      }
      reader.reading.asksWhatWasDone ||= before === "did" || before === "does";
      if (before === "is" && reader.word(-2) === "what" || before === "what's") {
        reader.reading.notes.push(AS_FLOWS);
      }
      if (isDevice && !isOwner && !OF_DEVICE.has(before) && !isUsed && !isTypeBefore(reader.all, reader.at)) {
        reader.assume(`the devices are those with the address ${entity.values.join(", ")}`);
      }
      // `who offers port 22`.
      if (entity.type === "port" && /^(?:offer|expose)s?$/.test(before)) reader.role = "dst";
      const role = isOwner ? "either" : roleOfOwner(reader, entity) ?? reader.role ?? "either";
      // Devices with that address, not those that talked to it.
      if (isDevice && !isOwner) reader.add({ field: "device.ip", op: "matches", value: entity.values });
      else reader.addEntity(entity, role);
    },
  }),
  rule({
    name: "a name that was resolved",
    pattern: (reader) => phraseAt(reader)?.typed.startsWith("resolved") ? { length: 1 } : null,
    // `who resolved example.com`, `has example.com been resolved`.
    guard: (reader) =>
      reader.token(1)?.kind === "name" ||
      reader.subject?.entity.type === "name" &&
        /^(?:been|was|were|get|gets|got)$/.test(reader.word(-1) ?? ""),
    effect(reader) {
      const isPassive = reader.token(1)?.kind !== "name";
      reader.addTopic("lookup");
      reader.verb(isPassive ? "either" : "dst");
    },
  }),
];

/** What is in a country or a network. */
const PLACED = /^(?:address|host|server|ip|site|website|country|place)$/;
const PRONOUN = /^(?:any|some|every)(?:thing|where|one|body)$/;

function isTypeOrDevice(word: string | undefined): boolean {
  return /^(?:device|host|machine|computer|server|box|system)$/.test(word ?? "");
}

function isOfOneAddress({ values }: Entity): boolean {
  return values.every((one) => !String(one).includes("/"));
}

/** The side whose values are ranked: destinations of an address are those of the flows from it. */
function roleOfOwner(
  { reading: { ranking }, role, all, at }: Reader,
  { type }: Entity,
): "src" | "dst" | null {
  if (role !== "either" || type !== "address" || ranking === null) return null;
  const before = all[at - 1]?.text;
  // `services on 10.0.0.9`.
  if (before === "on" && /^(?:service|dst\.port)$/.test(ranking.field)) return "dst";
  if (before !== "of") return null;
  if (/^(?:dst\.|src\.port$)/.test(ranking.field)) return "src";
  return ranking.field.startsWith("src.") ? "dst" : null;
}
