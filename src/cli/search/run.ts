import type { GroupField } from "../../contract/filter/aggregate.ts";
import type { Filter, ResultKind } from "../../contract/filter/tree.ts";
import type { Aggregate, Interpretation } from "../../contract/search/search.ts";
import type { AnswerOf } from "../../contract/request/client.ts";
import type { Call } from "./core-api.ts";
import { localTime } from "./tables.ts";
import { type Groups, type Output, RowWriter, writeGroups } from "./writer.ts";

export interface Question {
  query: string;
  mode: "field" | "natural" | "auto";
  /** What to search for if the query does not say. */
  kind: ResultKind | undefined;
  zone: string;
  /** Times as the search language has them; both or none. */
  window: Filter["window"];
  limit: number;
}

/** What is not part of the result. */
export interface Remarks {
  /** How the query was understood, and what to know about the result. */
  note(text: string): void;
  progress(text: string): void;
}

/** The query cannot be answered as it was asked; the message is for the user. */
export class QuestionError extends Error {
  override readonly name = "QuestionError";
}

/** Rows of one request; the API allows 500. */
const PAGE_ROWS = 500;

/** Answers a question and returns the number of rows, or of values, that were found. */
export async function search(
  call: Call,
  question: Question,
  output: Output,
  remarks: Remarks,
): Promise<number> {
  const { query, mode, kind, zone } = question;
  const { data } = await call("interpretSearch", {
    body: { query, mode, ...kind === undefined ? {} : { kind }, zone },
  });
  const interpretation = { ...data, filter: withWindow(data.filter, question) };
  if (kind !== undefined && data.result_kind !== kind) {
    throw new QuestionError(`the query asks for ${data.result_kind}, not for ${kind}; leave --kind out`);
  }
  remarks.note(understoodAs(interpretation, zone));
  for (const warning of data.warnings) remarks.note(`note: ${warning}`);
  return data.ranking === null
    ? await list(call, question, interpretation, output, remarks)
    : await rank(call, { interpretation, ranking: data.ranking }, output, remarks);
}

function withWindow(filter: Interpretation["filter"], { window }: Question): Interpretation["filter"] {
  if (window === null) return filter;
  if (filter.window !== null) {
    throw new QuestionError("the question names a time already; leave --from and --to out");
  }
  return { ...filter, window };
}

/** `flows: dst.port:22, from … to …`, in the language itself, so that it can be typed again. */
function understoodAs(
  { result_kind, text, filter: { window }, ranking }: Interpretation,
  zone: string,
): string {
  const parts = [text === "" ? "all" : text];
  if (window !== null) parts.push(`time:"${window.from}".."${window.to}"`);
  const asked = ranking === null
    ? ""
    : ranking.field === ""
    ? ` (the ${ranking.measure} of them${ranking.bucket === null ? "" : ` per ${ranking.bucket}`})`
    : ` (the ${ranking.limit} largest by ${ranking.field}, ${ranking.measure})`;
  return `${result_kind}: ${parts.join(" ")}${asked}, times in ${zone}`;
}

async function list(
  call: Call,
  { limit }: Question,
  interpretation: Interpretation,
  output: Output,
  remarks: Remarks,
): Promise<number> {
  const { filter, result_kind: kind } = interpretation;
  const writer = new RowWriter(output, kind);
  let found = 0;
  let cursor: string | null = null;
  for (;;) {
    const query = { limit: Math.min(PAGE_ROWS, limit - found), cursor };
    const page: AnswerOf<"search"> = await call("search", { query, body: filter });
    writer.add(page.data);
    found += page.data.length;
    cursor = page.next_cursor;
    if (cursor !== null && found < limit) {
      remarks.progress(`${found} ${kind} found, still searching`);
      continue;
    }
    // That a page ended early matters only if no further one was read.
    const warnings = cursor === null ? page.warnings : [];
    for (const warning of warnings) remarks.note(`note: ${warning}`);
    writer.end({
      interpretation,
      window: page.window,
      warnings: [...interpretation.warnings, ...warnings],
      more: cursor !== null,
    });
    if (cursor !== null) remarks.note(`note: these are the newest ${found}; --limit shows more`);
    if (found === 0) remarks.note(nothing(kind, page.window));
    return found;
  }
}

function nothing(kind: ResultKind, window: AnswerOf<"search">["window"]): string {
  return window === null
    ? `no ${kind} found`
    : `no ${kind} found from ${window.from} to ${window.to}; --from widens the window`;
}

async function rank(
  call: Call,
  { interpretation, ranking: { field, measure, limit, bucket } }: {
    interpretation: Interpretation;
    ranking: NonNullable<Interpretation["ranking"]>;
  },
  output: Output,
  remarks: Remarks,
): Promise<number> {
  const { data } = await call("aggregateSearch", {
    body: {
      filter: interpretation.filter,
      group_by: field === "" ? [] : [field as GroupField],
      measure,
      limit,
      bucket,
    },
  });
  for (const warning of data.warnings) remarks.note(`note: ${warning}`);
  const { other, window, warnings } = data;
  const groups = bucket === null ? data.groups : perBucket(data);
  // One number is always there.
  const isEmpty = field === "" ? groups.every(({ total }) => Number(total) === 0) : groups.length === 0;
  const names = bucket !== null
    ? new Map(data.buckets.map((start) => [start, localTime(start, output.zone)]))
    : field === "device"
    ? await deviceNames(call, data.groups)
    : new Map<string, string>();
  writeGroups(output, { field: bucket === null ? field : "time", measure, groups, other, names }, {
    interpretation,
    window,
    warnings: [...interpretation.warnings, ...warnings],
    more: other !== null,
  });
  if (isEmpty) remarks.note(nothing(interpretation.result_kind, window));
  return isEmpty ? 0 : groups.length;
}

/** The only group, bucket by bucket. */
function perBucket({ buckets, groups: [all] }: Aggregate): Groups["groups"] {
  return all === undefined ? [] : buckets.map((start, at) => ({ key: [start], total: all.values[at]! }));
}

/** Names of the devices that the groups are of, by identifier. */
async function deviceNames(call: Call, groups: Aggregate["groups"]): Promise<Map<string, string>> {
  const ids = groups.flatMap(({ key: [id] }) => id ?? []);
  if (ids.length === 0) return new Map();
  const filter: Filter = {
    version: 1,
    kind: "devices",
    where: { field: "device.id", op: "matches", value: ids },
    window: null,
    zone: "UTC",
  };
  const { data } = await call("search", { query: { limit: ids.length }, body: filter });
  return new Map(
    data.flatMap((row) => "display_name" in row ? [[row.device_id, row.display_name] as const] : []),
  );
}
