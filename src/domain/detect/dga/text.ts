// The sentences about domains that do not exist.
import type { Micros } from "../../record/observation.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { duration, list, percent, plural, within } from "../kernel/wording.ts";

export interface FailureMeasures {
  /** Different registered domains. */
  count: number;
  /** 0 to 1: how much their names look like chance. */
  random: number;
  /** Characters of their names: the median, and the median deviation from it. */
  length: number;
  lengthDeviation: number;
  seconds: number;
  /** Some of the newest. */
  examples: readonly string[];
  firstSeen: Micros;
  lastSeen: Micros;
  /** The resolver asked, where that is one of the site. */
  resolver: string | null;
}

type Texts = Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation">;

export function describeDga(measures: FailureMeasures, deviceName: string): Texts {
  return {
    title: `Generated domains: ${deviceName} looks for ${measures.count} that do not exist`,
    phrase: `looking for ${measures.count} generated domains that do not exist`,
    summary: summary(measures, deviceName),
    explanation:
      `People ask for names that are words, and most of them exist. These are ${
        percent(measures.random)
      } like chance, about ${
        Math.round(measures.length)
      } characters long, and nobody has registered them. Malware ` +
      `computes such names from the date and asks for one after the other until its operator's answers; that one ` +
      `is its way out. A few programs test with made-up names whether a network lies, but those are few. Look for ` +
      `the lookup that succeeded among these on ${deviceName}, what it connected to then, and which program asks. ${
        resolver(measures, deviceName)
      }`,
  };
}

export function describeFlood(measures: FailureMeasures, deviceName: string): Texts {
  return {
    title: `${deviceName} asks for ${measures.count} domains that do not exist`,
    phrase: `asking for ${measures.count} domains that do not exist`,
    summary: summary(measures, deviceName),
    explanation:
      `The names are mostly words (${percent(measures.random)} like chance), so they are rather a list ` +
      `that is worked through than generated: a mail server that checks senders, a crawler, a spam program with an ` +
      `old list, a log analyser; some malware puts words together, too. Check what ${deviceName} is and which ` +
      `program asks. ${resolver(measures, deviceName)}`,
  };
}

function summary(
  { count, examples, firstSeen, lastSeen, seconds }: FailureMeasures,
  deviceName: string,
): string {
  return `${deviceName} asked for ${plural(count, "different domain")} that do not exist ` +
    `${within(firstSeen, lastSeen)} (${duration(seconds)}), lately ${list(examples)}.`;
}

function resolver({ resolver }: FailureMeasures, deviceName: string): string {
  if (resolver !== null) return `It asks the internal resolver ${resolver}.`;
  return `If ${deviceName} is a resolver, one of its clients is the origin.`;
}
