// The scan detector's sentences.
import type { Track } from "../kernel/tracks.ts";
import type { ScanContext } from "./score.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { portWords } from "../kernel/service-names.ts";
import { duration, within } from "../kernel/wording.ts";

interface Measured {
  number: number;
  /** In the busiest hour. */
  hour: number;
  exact: boolean;
  /** Whether an hour held enough; else the day did. */
  fast: boolean;
}

const SECOND = 1_000_000;

export function describeScan(
  track: Track,
  context: ScanContext,
  measured: Measured,
): Pick<DetectorResult, "subject" | "title" | "phrase" | "summary" | "explanation"> {
  const { sourceName } = context;
  const slowly = measured.fast ? "" : "slowly ";
  const what = matter(context);
  return {
    subject: `${sourceName}: ${what.subject}`,
    title: `${sourceName} ${slowly}${what.title}`,
    phrase: `${slowly}${what.phrase}`,
    summary: `${sourceName} tried ${amount(measured)} ${what.counted}${ports(track, context)} in vain ` +
      `${within(track.first, track.last)} (${duration((track.last - track.first) / SECOND)}), ` +
      `the last of them ${lastOf(context)}. In the busiest hour it tried ${
        amount({ ...measured, number: measured.hour })
      } different ones.`,
    explanation: `None of these attempts was answered with as much as a byte. ${what.meaning} ${what.next}`,
  };
}

interface Matter {
  subject: string;
  title: string;
  /** The title without the name. */
  phrase: string;
  counted: string;
  meaning: string;
  next: string;
}

function matter(context: ScanContext): Matter {
  const { sort, attempt, targetName, sourceName } = context;
  const where = context.pattern.startsWith("inside") ? "hosts of its own network" : "hosts outside";
  if (sort === "source") {
    return {
      subject: "attempts from outside",
      title: "probes this network from outside",
      phrase: "probing this network from outside",
      counted: "addresses and ports of this network",
      meaning:
        "Whoever is reachable from the Internet is probed every day; what counts is whether anything answers.",
      next:
        `Check whether the firewall drops ${attempt.client.ip}, and which services are meant to be reachable.`,
    };
  }
  if (sort === "target") {
    return {
      subject: `ports of ${targetName}`,
      title: `scans the ports of ${targetName}`,
      phrase: `scanning the ports of ${targetName}`,
      counted: `ports of ${targetName}`,
      meaning:
        "Somebody who looks for a way into a host tries all its ports; a program that uses it knows its port. " +
        "Vulnerability scanners and inventories do the same on purpose.",
      next:
        `Check which program on ${sourceName} does it and who started it, and what ${targetName} has open.`,
    };
  }
  if (sort === "any") {
    return {
      subject: "sweep of its own network",
      title: "sweeps its own network: many ports of many hosts",
      phrase: "sweeping many ports of many hosts inside",
      counted: "pairs of host and port inside",
      meaning:
        "Only a scanner tries so many different services of different hosts. Vulnerability scanners do it on " +
        "purpose, intruders to find their next step.",
      next: `Check whether ${sourceName} is such a scanner; if not, which program does it, and isolate it.`,
    };
  }
  const service = attempt.port === null ? "ping" : portWords(attempt.port);
  return {
    subject: `${attempt.proto} ${attempt.port ?? "echo"} of many ${where}`,
    title: attempt.port === null ? `pings through ${where}` : `scans ${where} for ${service}`,
    phrase: attempt.port === null ? `pinging through ${where}` : `scanning ${where} for ${service}`,
    counted: attempt.port === null
      ? `${where} with a ping`
      : `${where} on ${attempt.proto.toUpperCase()} ${service}`,
    meaning: meaning(context),
    next: `Check which program on ${sourceName} does it, and whether any of these hosts let it in.`,
  };
}

function meaning({ pattern }: ScanContext): string {
  switch (pattern) {
    case "outsideWeb":
      return "Unanswered web servers are a part of browsing, yet hardly so many; a blocked proxy or a worm explains it.";
    case "insidePeers":
    case "outsideOther":
      return "Peer-to-peer programs do this all the time; so does a bot that looks for others of its kind.";
    case "insidePort":
    case "insideUdp":
    case "insidePing":
      return "Who belongs here knows where a service is; who tries one host after the other looks for it. Inventories, " +
        "print servers and vulnerability scanners do it on purpose, worms and intruders to find their next victim.";
    default:
      return "No user's program tries one stranger after the other on a service like this; worms and bots do, to spread.";
  }
}

function amount({ number, exact }: Measured): string {
  return exact ? `${number}` : `about ${number}`;
}

function ports({ low, high }: Track, { sort }: ScanContext): string {
  return (sort === "target" || sort === "any") && high > low ? ` (from port ${low} to ${high})` : "";
}

function lastOf({ sort, attempt }: ScanContext): string {
  const { server, port } = attempt;
  if (sort === "target") return `port ${port}`;
  return sort === "port" || port === null ? server.ip : `port ${port} of ${server.ip}`;
}
