import { leavesOf } from "../../../contract/filter/normalise.ts";
import type { Comparison, Condition, ResultKind } from "../../../contract/filter/tree.ts";
import type { Ranking, ReadPart } from "./rules/reading.ts";

/** An answer, as far as it can say more than its question. */
interface Answer {
  kind: ResultKind;
  conditions: readonly Condition[];
  ranking: Ranking | null;
  notes: readonly string[];
}

/** What the grammar adds to answers by itself, with the words that say it. Sides, kinds and times are compared where they are read. */
interface Claim {
  note: string;
  isMade(answer: Answer, leaves: readonly Comparison[], rules: readonly string[]): boolean;
  said: RegExp;
}

const COUNTED =
  /\b(?:how many|number|counts?|often|frequent|common|many|times|visited|contacted|popular|requests?|connections?|flows?|sessions?|look\w*|quer\w+|hits?|alerts?|answers?|responses?|attempts?|failures?|records?|errors?)\b|log-?(?:on|in)|sign/i;
const MEASURED =
  /\b(?:traffic|data|bytes?|bandwidth|volume|size|much|busiest|most active|largest|biggest|loudest|heaviest|talkers?|send\w*|sent|receiv\w*|uploads?\w*|download\w*|transfer\w*|[kmgt]b)\b/i;

const CLAIMS: readonly Claim[] = [
  {
    note: "Uploads: from the site to elsewhere.",
    isMade: ({ notes }, leaves) =>
      leaves.some(({ field, value }) => field === "direction" && value === "outbound") &&
      !leaves.some(({ field }) => field === "dst.country" || field === "dst.asn") &&
      !notes.some((note) => note.endsWith("to elsewhere.")),
    said: /\b(?:out\w*|internet|external|public|elsewhere|foreign|abroad|overseas|country|leav\w*|left)\b/i,
  },
  {
    note: "Sources outside the site are listed, too.",
    isMade: ({ ranking }, leaves) =>
      ranking?.field === "src.ip" && (ranking.measure === "src.bytes" || ranking.measure === "dst.bytes") &&
      !leaves.some(({ field }) => /^(?:direction|src\.|ip$|device|owner)/.test(field)),
    said: /\b(?:sources?|talkers?|ips?|address\w*|anybody|anyone|all)\b/i,
  },
  {
    note: "Failed: lookups of names that do not exist.",
    isMade: ({ notes }, leaves) =>
      leaves.some(({ field, value }) => field === "dns.rcode" && value === "NXDOMAIN") &&
      !notes.some((note) => note.endsWith("do not exist.")),
    said: /\b(?:nx-?domain\w*|no such|non-?exist\w*|not exist|unknown|invalid|unresolv\w*|not resolve\w*)\b/i,
  },
  {
    note: "An amount is that of one flow, both directions together.",
    isMade: ({ kind }, leaves) => kind === "flows" && leaves.some(({ field }) => field === "bytes"),
    said: /\b(?:flows?|connections?|sessions?|conversations?|transfers?|communications?)\b/i,
  },
  {
    note: "The ten with the most bytes, sent and received, are listed.",
    isMade: ({ ranking }, _, rules) =>
      ranking?.limit === 10 && ranking.measure === "bytes" && rules.includes("which values"),
    said: MEASURED,
  },
  {
    note: "The bytes are those of both directions.",
    isMade: ({ ranking }, leaves, rules) =>
      ranking?.measure === "bytes" &&
      (!rules.includes("which values") || rules.some((rule) => rule.startsWith("the most"))) &&
      leaves.some(({ field }) => /^(?:src|dst)\.(?!port)|^direction$|^server_name$/.test(field)),
    said:
      /\b(?:traffic|bandwidth|volume|total|both|bytes|busiest|talkers?|connections?|flows?|sessions?|most active)\b/i,
  },
  {
    note: "The ten with the most flows are listed.",
    isMade: ({ kind, ranking }, _, rules) =>
      kind === "flows" && ranking?.limit === 10 && ranking.measure === "count" &&
      rules.includes("which values"),
    said: COUNTED,
  },
  {
    note: "The measure is bytes.",
    isMade: ({ ranking }, _, rules) => ranking?.measure === "bytes" && !rules.includes("which values"),
    said: MEASURED,
  },
  {
    note: "The measure is the number of flows.",
    isMade: ({ kind, ranking }, _, rules) =>
      kind === "flows" && ranking?.measure === "count" && !rules.includes("which values"),
    said: COUNTED,
  },
];

/** What an answer says that no word of its question says, each a sentence. Only a question without any may be answered without a note. */
export function unsaid(parts: readonly ReadPart[], answer: Answer): string[] {
  const said = parts.map(({ text }) => text).join(" ");
  const rules = parts.map(({ rule }) => rule);
  const leaves = answer.conditions.flatMap(leavesOf);
  return CLAIMS.filter((claim) => claim.isMade(answer, leaves, rules) && !claim.said.test(said))
    .map(({ note }) => note);
}
