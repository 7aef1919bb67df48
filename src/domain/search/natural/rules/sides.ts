import { leavesOf } from "../../../../contract/filter/normalise.ts";
import type { FieldName } from "../../../../contract/filter/fields.ts";
import type { Condition } from "../../../../contract/filter/tree.ts";
import type { Entity } from "../values/entity.ts";
import type { Role, Topic } from "../words/effect.ts";

/** Fields of a flow that are of neither side alone, with what a preposition before them leaves open. */
const EITHER_END: Partial<Record<FieldName, string>> = {
  any: "a text is looked for at either end",
  intel: "the known bad address is at either end",
};
const SERVER_NAME = "the name is that of the server that was contacted";

/**
 * What the side of a condition assumes: clauses.
 *
 * @param role The side that the question states for it; null if it states none.
 */
export function assumedSides(
  condition: Condition,
  role: Role | null,
  topics: ReadonlySet<Topic>,
): string[] {
  const isSide = role === "src" || role === "dst";
  return leavesOf(condition).flatMap(({ field, op, value }) => {
    // `from inside`.
    if (field === "direction" && isSide && value === "internal") return ["both ends are inside"];
    const either = EITHER_END[field];
    if (either !== undefined) return isSide ? [either] : [];
    // A download comes from the server.
    if (field === "server_name") return role === "src" && !topics.has("download") ? [SERVER_NAME] : [];
    if (isSide || !/^(?:src|dst)\./.test(field) || /\.bytes$/.test(field)) return [];
    const side = field.startsWith("src.") ? "source" : "destination";
    const values = [value].flat().join(op === "range" ? " to " : " or ");
    return [`${field.slice(4)} ${/[<>]/.test(op) ? `${op} ` : ""}${values} is that of the ${side}`];
  });
}

/** That an end is the source, because it stands before a verb without another end. */
export function assumedSource({ values }: Entity): string {
  return `${values.join(", ")} is the source`;
}

/** Words whose side is what they mean. */
const SIDED = /^(?:src|source|dst|destination|client|talker|sender|uploader|receiver|downloader)\b/;

/** What grouping by a word assumes of the side: clauses. */
export function assumedGroup(word: string, field: string): string[] {
  if (word === "user") return ["users are the accounts that sensors report"];
  if (word === "alert") return ["alerts are those of sensors"];
  if (word === "domain" || word === "name") return ["domains are those of DNS queries"];
  if (word === "peer") return ["each peer is a destination"];
  if (word === "server") return ["each server is a destination, of the site or not"];
  if (SIDED.test(word) || !/^(?:src|dst)\./.test(field)) return [];
  return [
    `each ${word.replace(/^ips?$/, "address")} is that of the ${
      field.startsWith("src.") ? "source" : "destination"
    }`,
  ];
}
