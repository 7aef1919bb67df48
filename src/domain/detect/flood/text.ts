// Texts of floods.
import type { DetectorResult } from "../kernel/result.ts";
import { portLabel } from "../kernel/service-names.ts";
import { duration, plural, size, within } from "../../../kit/text.ts";
import type { FloodContext, Measured } from "./context.ts";
import type { Target } from "./state.ts";
import { fixedPart, titleLine } from "../../../kit/title-line.ts";

const WHAT: Readonly<Record<string, string>> = {
  tcp: "TCP connections",
  udp: "UDP packets",
};

type Texts = Pick<DetectorResult, "subject" | "title" | "phrase" | "summary" | "explanation">;

/** @param fromDevice One device sends all of it, so the text is about that device; else about the target. */
export function describeFlood(
  target: Target,
  measured: Measured,
  context: FloodContext,
  fromDevice: boolean,
): Texts {
  const isTcp = target.proto === "tcp";
  const what = WHAT[target.proto] ?? "ICMP packets";
  const { clientName, serverName, server } = context;
  const to = target.ip === serverName ? target.ip : `${serverName} (${target.ip})`;
  const { sent, first, last, sources } = measured;
  const noun = isTcp ? "failed TCP connection" : what.slice(0, -1);
  const amount = `${plural(sent, noun)}${isTcp ? "" : ` (${size(measured.bytes)})`}`;
  const { ports } = measured;
  const onPorts = ports === 1 && server.port !== null
    ? `, ${portLabel(server.port)},`
    : ports > 1
    ? ` on ${target.ports.exact ? "" : "about "}${plural(ports, "port")}`
    : "";
  const when = `${within(first, last)} (${duration(Math.max(1, (last - first) / 1_000_000))})`;
  const outcome = isTcp ? "none carried data" : cameBack(measured.answered);
  const meaning = isTcp
    ? "Floods of connections that are never completed use up a server's memory and knock its service offline. A " +
      "server that is down while its clients retry, a load test and a broken health check look alike, but clients " +
      "wait between their attempts."
    : "Botnets send floods like this to knock a service offline. Audio, video or measurement streams and speed " +
      "tests send as many packets, but rarely to a host that does not answer.";
  if (fromDevice) {
    return {
      subject: `${what} from ${clientName} to ${target.ip}`,
      title: titleLine`${clientName} floods ${serverName} with ${fixedPart(what)}`,
      phrase: `flooding ${serverName} with ${what}`,
      summary: `${clientName} sent at least ${amount} to ${to}${onPorts} ${when}; ${outcome}.`,
      explanation: `${meaning} Find the program on ${clientName} that sends them and stop it` +
        `${server.internal ? "." : ": the flood also saturates the site's own uplink."}`,
    };
  }
  const from = sources === 1 ? clientName : `${target.sources.exact ? "" : "about "}${sources} addresses`;
  return {
    subject: `${what} to ${serverName}`,
    title: titleLine`${serverName} is flooded with ${fixedPart(what)} from ${from}`,
    phrase: `flood of ${what} from ${from}`,
    summary: `${to} received at least ${amount}${
      onPorts.replace(/^ on/, " on")
    } from ${from} ${when}; ${outcome}.`,
    explanation:
      `${meaning} Check whether the service on ${serverName} still answers, and have the sources ` +
      "limited at the firewall or by the provider; addresses of a flood are often forged.",
  };
}

function cameBack(answered: number): string {
  return answered === 0 ? "none came back" : `${plural(answered, "packet")} came back`;
}
