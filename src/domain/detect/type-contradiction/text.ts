// Texts of the type-contradiction detector.
import type { Micros } from "../../record/observation.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { list, moment, plural, within } from "../../../kit/text.ts";
import { SINGLE_PURPOSE_TYPES } from "../kernel/single-purpose.ts";
import type { Act } from "./acts.ts";
import type { ActCount } from "./state.ts";
import { fixedPart, titleLine } from "../../../kit/title-line.ts";

/** Says "at least", because more peers follow before the phrase is written again. */
export function actPhrase(act: Act, count: number): string {
  switch (act) {
    case "admin":
      return `administers at least ${plural(count, "other machine")}`;
    case "serves":
      return `offers a service untypical of its type (at least ${plural(count, "client")})`;
    case "inside":
      return `connects to at least ${count} machines inside`;
    case "outside":
      return `connects to at least ${count} addresses outside`;
  }
}

/** `acts` with the worst first. */
export function describeContradiction(
  name: string,
  type: string,
  acts: readonly { act: Act; observed: ActCount }[],
  firstSeen: Micros,
  lastSeen: Micros,
): Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation"> {
  const kind = SINGLE_PURPOSE_TYPES.get(type)!;
  const phrases = acts.map(({ act, observed }) => actPhrase(act, observed.peers.count));
  const details = acts.map(({ observed }, at) => `${phrases[at]}: ${list(observed.examples)}`);
  return {
    title: titleLine`${name} is ${kind} but ${fixedPart(phrases[0]!)}`,
    phrase: `acts unlike ${kind}: ${phrases[0]}`,
    summary: `${name} is confirmed as ${kind}; ${within(firstSeen, lastSeen)} it ${details.join("; it ")}.`,
    explanation:
      `Single-purpose devices run old software and are rarely watched, so attackers hide on them and move on from ` +
      `there. The activity is harmless if the type is wrong or the address was reassigned: check which device has this ` +
      `address now and correct its type. If it is ${kind}, disconnect it from the network and check who logged in to ` +
      `it before ${moment(firstSeen)}.`,
  };
}
