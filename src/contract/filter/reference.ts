// The reference of the search language, rendered from its tables: for the documentation and the OpenAPI document.

import { EXPECTED } from "./values.ts";
import { FIELD_NAMES, type FieldName, FIELDS } from "./fields.ts";
import { type Field, type FieldType, type Operator, OPERATORS_OF } from "./field.ts";
import { FLOW_FIELDS } from "./flow-fields.ts";
import { FILTER_LIMITS } from "./limits.ts";
import { RECORD_FIELDS } from "./record-fields.ts";

/** The grammar of the text form. */
export const GRAMMAR = `filter     = [ either ]
either     = both { ( "or" | "||" ) both }
both       = unary { [ "and" | "&&" ] unary }
unary      = { "not" | "!" | "-" } ( "(" either ")" | comparison | word )
comparison = field operator operand
operator   = ":" | "=" | "!=" | "<" | "<=" | ">" | ">="
operand    = value | range | "*" | "(" value-or-range { ( "," | "or" ) value-or-range } ")"
range      = value ".." value | value ".." | ".." value
value      = characters without spaces, parentheses and quotes | quoted
quoted     = '"' { character | '\\"' | '\\\\' } '"'`;

/** Types in the order of the documentation; a field of an enumeration lists its values itself. */
const TYPES = Object.keys(EXPECTED) as FieldType[];

const SIGNS: Readonly<Record<Operator, string>> = {
  matches: ":",
  "=": "=",
  "!=": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  range: ":low..high",
  exists: ":*",
};

/** How the tree holds values, where that is not the text itself. */
const IN_TREE: Readonly<Partial<Record<FieldType, string>>> = {
  address: "the canonical text of an address, or a network without host bits",
  port: "a number",
  name: "the text in lower case",
  country: "the code in upper case",
  asn: "a number",
  number: "a number",
  bytes: "a number of bytes",
  rate: "a number of bytes per second",
  duration: "a number of milliseconds",
  vlan: "a number or a name",
};

/** Each type: what its values look like in text and in the tree, and its operators. */
export function typeReference(): string {
  return TYPES.filter((type) => type !== "any").map((type) => {
    const signs = OPERATORS_OF[type].map((op) => `\`${SIGNS[op]}\``).join(" ");
    const ordered = type === "enum" ? "; `<` `<=` `>` `>=` `:low..high` if the values have an order" : "";
    const tree = IN_TREE[type] === undefined ? "" : ` In the filter tree: ${IN_TREE[type]}.`;
    return `- \`${type}\`: ${EXPECTED[type]}.${tree} Operators: ${signs}${ordered}`;
  }).join("\n");
}

const GROUPS: readonly { title: string; includes: (name: FieldName) => boolean }[] = [
  { title: "Of flows, devices and incidents", includes: (name) => FIELDS[name].owner === "all" },
  { title: "Of flows", includes: (name) => Object.hasOwn(FLOW_FIELDS, name) },
  { title: "Of the records of flows", includes: (name) => Object.hasOwn(RECORD_FIELDS, name) },
  { title: "Of devices", includes: (name) => FIELDS[name].owner === "device" },
  { title: "Of incidents", includes: (name) => FIELDS[name].owner === "incident" },
];

/** Every field with its type, other spellings and an example, by what it belongs to. */
export function fieldReference(headingLevel: number): string {
  return GROUPS.flatMap(({ title, includes }) => [
    `${"#".repeat(headingLevel)} ${title}`,
    FIELD_NAMES.filter((name) => name !== "any" && includes(name)).map(fieldLine).join("\n"),
  ]).join("\n\n");
}

function fieldLine(name: FieldName): string {
  const { type, aliases = [], description, example, values, valueAliases } = FIELDS[name] as Field;
  const also = aliases.length === 0 ? "" : `; also ${aliases.map((alias) => `\`${alias}\``).join(", ")}`;
  const allowed = values === undefined ? "" : ` Values: ${values.map((value) => `\`${value}\``).join(", ")}.`;
  const spellings = valueAliases === undefined
    ? ""
    : ` Also ${
      Object.entries(valueAliases).map(([alias, value]) => `\`${alias}\` for \`${value}\``).join(", ")
    }.`;
  return `- \`${name}\` (${type}${also}): ${description}${allowed}${spellings} Example: \`${example}\``;
}

export function limitReference(): string {
  const { depth, terms, listLength, valueLength, textLength } = FILTER_LIMITS;
  return `A filter has at most ${terms} comparisons in ${depth} levels, a list at most ${listLength} values, a value at most ` +
    `${valueLength} characters, and the text at most ${textLength}.`;
}

/** Grammar, types, fields and limits as one text. */
export function searchReference(headingLevel: number): string {
  const heading = (text: string) => `${"#".repeat(headingLevel)} ${text}`;
  return [
    heading("Grammar"),
    `\`\`\`text\n${GRAMMAR}\n\`\`\``,
    heading("Types"),
    typeReference(),
    heading("Fields"),
    fieldReference(headingLevel + 1),
    heading("Limits"),
    limitReference(),
  ].join("\n\n");
}
