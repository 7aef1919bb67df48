// Texts of scan results.
import type { DetectorResult } from "../kernel/result.ts";
import { portLabel } from "../kernel/service-names.ts";
import type { Track } from "../kernel/tracks.ts";
import { duration, within } from "../../../kit/text.ts";
import type { ScanContext } from "./pattern.ts";
import { titleLine, type TitlePart, titlePart } from "../../../kit/title-line.ts";

interface Measured {
  number: number;
  /** In the busiest hour. */
  hour: number;
  exact: boolean;
  /** Whether the hourly threshold was reached, rather than only the daily one. */
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
  const { subject, title, phrase, counted, meaning, next } = texts(context);
  return {
    subject: `${sourceName}: ${subject}`,
    title: titleLine`${sourceName} ${slowly}${title}`,
    phrase: `${slowly}${phrase}`,
    summary: `${sourceName} tried ${amount(measured)} ${counted}${ports(track, context)} without success ` +
      `${within(track.first, track.last)} (${duration((track.last - track.first) / SECOND)}), ` +
      `most recently ${latest(context)}. It tried ${
        amount({ ...measured, number: measured.hour })
      } of them in the busiest hour.`,
    explanation: `None of these attempts got a single byte in reply. ${meaning} ${next}`,
  };
}

interface Texts {
  subject: string;
  title: TitlePart;
  phrase: string;
  /** What was counted, in the summary. */
  counted: string;
  meaning: string;
  next: string;
}

function texts(context: ScanContext): Texts {
  const { kind, attempt, targetName, sourceName } = context;
  if (kind === "source") {
    return {
      subject: "attempts from outside",
      title: titlePart`probes this network from outside`,
      phrase: "probing this network from outside",
      counted: "addresses and ports of this network",
      meaning:
        "Networks that are reachable from the Internet are probed every day, often by research projects and " +
        "search engines. What matters is whether a service answers.",
      next: `Check whether the firewall drops ${attempt.client.ip}, and which services must be reachable.`,
    };
  }
  if (kind === "target") {
    return {
      subject: `ports of ${targetName}`,
      title: titlePart`scans the ports of ${targetName}`,
      phrase: `scanning the ports of ${targetName}`,
      counted: `ports of ${targetName}`,
      meaning:
        "An intruder looking for a way into a host tries all of its ports; a program that uses the host " +
        "knows its port. Vulnerability scanners and inventory tools scan ports on purpose.",
      next:
        `Check which program on ${sourceName} scans and who started it, and which ports of ${targetName} are open.`,
    };
  }
  if (kind === "any") {
    return {
      subject: "sweep of the internal network",
      title: titlePart`sweeps the internal network: many ports of many hosts`,
      phrase: "sweeping many ports of many internal hosts",
      counted: "combinations of internal host and port",
      meaning:
        "Only a scanner tries so many different services on different hosts. Vulnerability scanners do so on " +
        "purpose, intruders to find their next target.",
      next:
        `Check whether ${sourceName} is a vulnerability scanner. If not, isolate it and find the program that scans.`,
    };
  }
  const where = context.pattern.startsWith("inside") ? "internal hosts" : "hosts outside";
  const { port } = attempt;
  const next = `Check which program on ${sourceName} scans, and whether any of these hosts let it in.`;
  if (port === null) {
    return {
      subject: `${attempt.proto} echo to many ${where}`,
      title: titlePart`pings many ${where}`,
      phrase: `pinging many ${where}`,
      counted: `${where} with a ping`,
      meaning: meaning(context),
      next,
    };
  }
  const service = portLabel(port);
  return {
    subject: `${attempt.proto} ${port} on many ${where}`,
    title: titlePart`scans ${where} for ${service}`,
    phrase: `scanning ${where} for ${service}`,
    counted: `${where} on ${attempt.proto.toUpperCase()} ${service}`,
    meaning: meaning(context),
    next,
  };
}

function meaning({ pattern }: ScanContext): string {
  switch (pattern) {
    case "outsideWeb":
      return "Unanswered web servers are part of normal browsing, but rarely this many. A blocked proxy or a worm " +
        "would explain it.";
    case "insidePeers":
    case "outsideOther":
      return "Peer-to-peer programs do this all the time; so do bots that look for other bots.";
    case "insidePort":
    case "insideUdp":
    case "insidePing":
      return "Legitimate clients know where a service is; a source that tries one host after another is searching " +
        "for it. Inventory tools, print servers and vulnerability scanners do so on purpose, worms and intruders to " +
        "find their next victim.";
    default:
      return "User programs do not try one unknown host after another on a service like this; worms and bots do, to " +
        "spread. An authorized scanner looks the same.";
  }
}

function amount({ number, exact }: Measured): string {
  return exact ? `at least ${number}` : `about ${number}`;
}

function ports({ low, high }: Track, { kind }: ScanContext): string {
  return (kind === "target" || kind === "any") && high > low ? ` (ports ${low} to ${high})` : "";
}

function latest({ kind, attempt }: ScanContext): string {
  const { server, port } = attempt;
  if (kind === "target") return `port ${port}`;
  return kind === "port" || port === null ? server.ip : `port ${port} of ${server.ip}`;
}
