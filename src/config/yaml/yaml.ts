import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "@std/yaml";
import { z } from "zod";
import { messageOf } from "../../kit/errors.ts";
import type { Faults, Place } from "./faults.ts";

type Path = readonly PropertyKey[];

/** A value of which the members with faults are missing, at any depth. */
export type Faultless<T> = T extends readonly (infer E)[] ? (Faultless<E> | undefined)[]
  : T extends object ? { [K in keyof T]?: Faultless<T[K]> }
  : T;

/** One entry of a list. */
export interface Item<T> {
  path: Path;
  /** The checked entry; null if it has a fault. */
  value: T | null;
  /**
   * Its members without faults, for the checks that a schema cannot express: all faults of an entry are reported at
   * once.
   */
  valid: Faultless<T>;
}

/** A mapping whose keys are all known. */
export function section<S extends z.core.$ZodLooseShape>(shape: S) {
  const keys = Object.keys(shape);
  const known = keys.join(", ");
  return z.strictObject(shape, {
    error: ({ code, input }) => {
      if (code === "unrecognized_keys") {
        return keys.length === 1 ? `expected ${known}` : `expected one of ${known}`;
      }
      if (code !== "invalid_type" || input === undefined) return undefined;
      return `expected a mapping with ${known}, not ${describe(input)}`;
    },
  });
}

/** A YAML file that knows the line of every value. */
export class YamlFile {
  readonly #name: string;
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #faults: Faults;
  readonly #content: unknown;

  private constructor(name: string, document: Document, lines: LineCounter, faults: Faults) {
    this.#name = name;
    this.#document = document;
    this.#lines = lines;
    this.#faults = faults;
    this.#content = document.toJS();
  }

  /** `null`, with its faults reported, if the text is not usable YAML. */
  static parse(text: string, name: string, faults: Faults): YamlFile | null {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false });
    const place = (offset: number): Place => {
      const { line, col } = lines.linePos(offset);
      return { file: name, line, column: col };
    };
    const before = faults.list.length;
    // A warning is an unknown tag, whose value would silently be taken as text.
    for (const fault of [...document.errors, ...document.warnings]) {
      faults.add(place(fault.pos[0]), `expected valid YAML: ${fault.message}`);
    }
    visit(document, {
      Alias(_key, alias) {
        if (alias.resolve(document) !== undefined) return;
        faults.add(place(alias.range?.[0] ?? 0), `expected an anchor named "${alias.source}" before this`);
      },
    });
    if (faults.list.length > before) return null;
    try {
      return new YamlFile(name, document, lines, faults);
    } catch (error) {
      // Aliases that multiply beyond the library's limit.
      faults.add(place(0), `expected plain YAML: ${messageOf(error)}`);
      return null;
    }
  }

  fault(path: Path, message: string): void {
    this.#faults.add(this.#placeOf(path), `${pathText(path)}: ${message}`);
  }

  /** The whole file as one value; `null`, with all faults reported, if it does not match the schema. */
  whole<T>(schema: z.ZodType<T>): T | null {
    return this.#check(schema, this.#content, []);
  }

  /** The entries of a file that consists of one list under `key`; all faults of all entries are reported. */
  list<T>(key: string, entry: z.ZodType<T>): Item<T>[] {
    const whole = this.whole(section({ [key]: z.array(z.unknown()) }));
    return whole === null ? [] : this.#items(key, entry, whole[key] as unknown[]);
  }

  /**
   * The entries of a file that consists of several lists, by key; a missing list is empty. All faults of all entries are
   * reported.
   */
  lists<E extends Record<string, z.ZodType>>(entries: E): { [K in keyof E]: Item<z.output<E[K]>>[] } {
    const shape = Object.fromEntries(
      Object.keys(entries).map((key) => [key, z.array(z.unknown()).optional()]),
    );
    const whole = this.whole(section(shape)) as Record<string, unknown[] | undefined> | null;
    const items = Object.entries(entries).map((
      [key, entry],
    ) => [key, this.#items(key, entry, whole?.[key] ?? [])]);
    return Object.fromEntries(items);
  }

  #items<T>(key: string, entry: z.ZodType<T>, list: readonly unknown[]): Item<T>[] {
    return list.map((raw, index) => ({
      path: [key, index],
      value: this.#check(entry, raw, [key, index]),
      valid: (faultless(entry, raw) ?? {}) as Faultless<T>,
    }));
  }

  #check<T>(schema: z.ZodType<T>, value: unknown, path: Path): T | null {
    const result = schema.safeParse(value, { error: expectation });
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const at = [...path, ...issue.path];
      if (issue.code === "unrecognized_keys") {
        for (const key of issue.keys) this.#unknownKey(at, key, issue.message);
      } else if (at.length === 0) {
        this.#faults.add(this.#placeOf(at), issue.message);
      } else {
        this.fault(at, issue.message);
      }
    }
    return null;
  }

  #unknownKey(path: Path, key: string, expected: string): void {
    this.#faults.add(
      this.#placeOf([...path, key], true),
      `${pathText([...path, key])}: unknown key, ${expected}`,
    );
  }

  /** Location of the value at `path`, or of its key; of the nearest enclosing value if there is none. */
  #placeOf(path: Path, ofKey = false): Place {
    let node: Node | null = this.#document.contents;
    let offset = node?.range?.[0] ?? 0;
    for (const [depth, step] of path.entries()) {
      if (isAlias(node)) node = node.resolve(this.#document) ?? null;
      let next: unknown = null;
      if (isSeq(node)) next = node.items[Number(step)];
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
        next = ofKey && depth === path.length - 1 ? pair?.key : pair?.value ?? pair?.key;
      }
      if (next === null || next === undefined) break;
      node = next as Node;
      offset = node.range?.[0] ?? offset;
    }
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.#name, line, column: col };
  }
}

function faultless(schema: z.core.$ZodType, value: unknown): unknown {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return faultless(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((element) => faultless(schema.element, element));
  }
  if (schema instanceof z.ZodObject && typeof value === "object" && value !== null && !Array.isArray(value)) {
    const known = Object.entries(schema.shape as z.core.$ZodShape).filter(([key]) =>
      Object.hasOwn(value, key)
    );
    return Object.fromEntries(
      known.map(([key, member]) => [key, faultless(member, (value as Record<string, unknown>)[key])]),
    );
  }
  return undefined;
}

/** `sources[2].trust` */
export function pathText(path: readonly PropertyKey[]): string {
  let text = "";
  for (const step of path) {
    text += typeof step === "number" ? `[${step}]` : `${text === "" ? "" : "."}${String(step)}`;
  }
  return text;
}

const TYPE_NAMES: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
};

/** What each kind of fault expects; schemas with their own text keep it. */
function expectation(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type": {
      const expected = TYPE_NAMES[issue.expected] ?? issue.expected;
      if (issue.input === undefined) return `expected ${expected}, but it is missing`;
      const isPlain = typeof issue.input === "number" || typeof issue.input === "boolean";
      const advice = issue.expected === "string" && isPlain ? ": put it in quotes" : "";
      return `expected ${expected}, not ${describe(issue.input)}${advice}`;
    }
    case "invalid_value":
      return `expected one of ${issue.values.join(", ")}`;
    case "too_small":
      return `expected at least ${amount(issue.minimum, issue.origin)}`;
    case "too_big":
      return `expected at most ${amount(issue.maximum, issue.origin)}`;
    default:
      return undefined;
  }
}

/** `1 character`, `32 entries`; only the number for a number itself. */
function amount(count: number | bigint, origin: string): string {
  if (origin === "string") return `${count} ${count === 1 ? "character" : "characters"}`;
  if (origin === "array") return `${count} ${count === 1 ? "entry" : "entries"}`;
  return String(count);
}

function describe(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  return TYPE_NAMES[typeof value] ?? typeof value;
}

/** Records that `holder` has a value that only one may have; reports the one that has it already. */
export function claim(
  holders: Map<string, string>,
  value: string,
  holder: string,
  report: (first: string) => void,
): void {
  const first = holders.get(value);
  if (first === undefined) holders.set(value, holder);
  else report(first);
}
