// Texts of the rogue-dns detector.
import type { Micros } from "../../record/observation.ts";
import type { DetectorResult } from "../kernel/result.ts";
import type { Server } from "../kernel/servers.ts";
import { moment, plural } from "../../../kit/text.ts";
import { MIN_QUERIES } from "./state.ts";
import { titleLine } from "../../../kit/title-line.ts";

type Texts = Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation">;

export function describeInside({ clients, first }: Server, ip: string, name: string): Texts {
  return {
    title: titleLine`New DNS resolver inside: ${name}`,
    phrase: "answering DNS for others",
    summary: `${name}${name === ip ? "" : ` (${ip})`} has answered DNS queries from at least ${
      plural(clients.count, "client")
    } inside since ${moment(first)}, but not before.`,
    explanation:
      "A resolver decides which address a client connects to, so attackers run one to intercept traffic. More often " +
      "someone set up a server, a filter (Pi-hole) or a virtual machine host with its own resolver. Check who runs it, " +
      "which resolver DHCP assigned to its clients, and whether its answers match those of the site's own resolver. " +
      "If it is legitimate, confirm its type.",
  };
}

export function describeOutside(name: string, ip: string, isPublic: boolean, at: Micros): Texts {
  return {
    title: titleLine`New outside DNS resolver: ${name} to ${ip}`,
    phrase: `queries to the new outside DNS resolver ${ip}`,
    summary:
      `${name} has sent at least ${MIN_QUERIES} DNS queries to ${ip}, most recently at ${
        moment(at)
      }. It had ` +
      "never done so before, and the site has its own resolver.",
    explanation:
      "Malware changes the resolver to redirect its victim to forged sites, or to reach its operators past the site's " +
      `filter. ${isPublic ? "This is a public resolver that many people choose themselves. " : ""}` +
      "Other causes are software with a built-in resolver and users who bypass a filter. Check the configured resolver " +
      `of ${name} and which names it resolves there.`,
  };
}
