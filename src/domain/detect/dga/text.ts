// Texts about lookups of domains that do not exist.
import type { Micros } from "../../record/observation.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { atLeast, duration, list, percent, within } from "../../../kit/text.ts";
import { titleLine } from "../../../kit/title-line.ts";

export interface FailureMeasures {
  /** Different registered domains. */
  count: number;
  /** Mean randomness of the names, 0 to 1. */
  random: number;
  /** Characters of the names: the median and the median deviation. */
  length: number;
  lengthDeviation: number;
  seconds: number;
  /** Some of the newest domains. */
  examples: readonly string[];
  firstSeen: Micros;
  lastSeen: Micros;
  /** Address of the resolver, if it is internal. */
  resolver: string | null;
}

type Texts = Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation">;

export function describeDga(measures: FailureMeasures, deviceName: string): Texts {
  const { random, length } = measures;
  return {
    title: titleLine`${deviceName} looks up generated domains that do not exist`,
    phrase: "looking up generated domains that do not exist",
    summary: summary(measures, deviceName),
    explanation:
      `People look up names made of words, and most of these exist. These names look ${
        percent(random)
      } random, are ` +
      `about ${
        Math.round(length)
      } characters long, and are not registered. Malware computes such names from ` +
      `the date and tries one after another until one that its operator registered answers. A few programs use ` +
      `made-up names to test whether a network falsifies answers, but only a handful. Look for the lookup among ` +
      `these that succeeded on ${deviceName}, what the device connected to next, and which program did it. ${
        resolver(measures, deviceName)
      }`,
  };
}

export function describeFlood(measures: FailureMeasures, deviceName: string): Texts {
  const { random } = measures;
  return {
    title: titleLine`${deviceName} looks up many domains that do not exist`,
    phrase: "looking up many domains that do not exist",
    summary: summary(measures, deviceName),
    explanation:
      `The names are mostly words (${
        percent(random)
      } random), so they probably come from a list rather than a ` +
      `generator: a mail server that checks senders, a crawler, a spam program with an old list, a log analyser. Some ` +
      `malware also combines words. Check what ${deviceName} is and which program looks them up. ${
        resolver(measures, deviceName)
      }`,
  };
}

function summary(
  { count, examples, firstSeen, lastSeen, seconds }: FailureMeasures,
  deviceName: string,
): string {
  return `${deviceName} looked up ${atLeast(count, "different domain")} that do not exist ` +
    `${within(firstSeen, lastSeen)} (${duration(seconds)}), most recently ${list(examples)}.`;
}

function resolver({ resolver }: FailureMeasures, deviceName: string): string {
  if (resolver !== null) return `It uses the internal resolver ${resolver}.`;
  return `If ${deviceName} is a resolver, one of its clients is the origin.`;
}
