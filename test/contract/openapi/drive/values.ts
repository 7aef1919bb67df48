// Good and bad values from the document's schema.

import { flatten, type Parameter, type Schema } from "../document.ts";

/** Whether a parameter may be repeated. */
export function isList({ schema }: Parameter): boolean {
  return schema.type === "array";
}

/** The schema of one value of a parameter. */
function valueOf(schema: Schema): Schema {
  return schema.items ?? schema;
}

/** Values of a query parameter that the service must accept, as text. */
export function goodValues(
  { schema: whole, example }: Parameter,
  adapt: (value: unknown) => unknown,
): string[] {
  const schema = valueOf(whole);
  const values = example === undefined ? [] : [example].flat().map((one) => String(adapt(one)));
  if (schema.enum) values.push(...schema.enum.map(String));
  if (schema.type === "boolean") values.push("true", "false");
  for (const bound of [schema.minimum, schema.maximum, schema.default]) {
    if (bound !== undefined) values.push(String(bound));
  }
  if (schema.maxLength !== undefined && schema.format === undefined && example !== undefined) {
    const plain = String(example);
    if (!/[.:/]/.test(plain)) values.push(plain.slice(0, 1).repeat(schema.maxLength));
  }
  if (schema.format === "date-time" && example !== undefined) {
    // The same moment in another zone, and with every digit that a sensor may give.
    const at = Date.parse(String(adapt(example)));
    values.push(new Date(at + 7_200_000).toISOString().replace("Z", "+02:00"));
    values.push(new Date(at).toISOString().replace("Z", "123456Z"));
  }
  return [...new Set(values)];
}

/** Parameters whose form a schema cannot express. */
const MORE_BAD: Record<string, string[]> = {
  peer_ip: ["010.0.0.1", "1", "10.0.0.5/32", "::ffff:10.0.0.5", "2001:DB8::1", "fe80::1%eth0"],
  cursor: ["x", "a.b", "eyJpIjowLCJwIjoxfQ.00000000000000000000000000000000"],
  after: ["x", "a.b", "eyJpIjowLCJwIjoxfQ.00000000000000000000000000000000"],
  since: ["x", "a.b", "eyJpIjowLCJwIjoxfQ.00000000000000000000000000000000", ""],
  month: ["", "2026", "2026-13", "2026-1", "2026-01-01", "9999-01"],
  limit: ["+5", "1e2", " 5", "0x10", "5.0"],
};

/** Values of a query parameter that the service must refuse. */
export function badValues({ name, schema: whole }: Parameter): string[] {
  const schema = valueOf(whole);
  const values = [...MORE_BAD[name] ?? []];
  if (schema.enum) values.push("nope", "", String(schema.enum[0]).toUpperCase());
  if (schema.type === "boolean") values.push("yes", "1", "");
  if (schema.type === "integer") values.push("", "abc", "1.5", "-1");
  if (schema.type === "number") values.push("", "abc", "-1", "NaN", "1e1");
  if (schema.maximum !== undefined) values.push(String(schema.maximum + 1), "99999999999999999999");
  if (schema.minimum !== undefined && schema.minimum > 0) values.push(String(schema.minimum - 1));
  if (schema.minLength !== undefined) values.push("");
  if (schema.maxLength !== undefined) values.push("x".repeat(schema.maxLength + 1));
  if (schema.format === "uuid") values.push("nope", "10.0.0.5", "0190b2c3-0000-7000-8000-00000000000");
  if (schema.pattern?.includes("Cc")) values.push("a\u0000", "a\nb", "  ");
  if (schema.format === "date") {
    values.push("", "yesterday", "2026-1-30", "2026-02-30", "2026-01-30T00:00:00Z", "9999-12-31");
  }
  if (schema.format === "date-time") {
    values.push("", "yesterday", "2026-01-31", "2026-02-30T00:00:00Z", "2026-01-31T07:00:00", "1769843700");
  }
  return [...new Set(values)];
}

/** Bodies that an operation must refuse, each with the faulty field, or none if all are. */
export function badBodies(schema: Schema, good: Record<string, unknown>): { body: unknown; field: string }[] {
  const { properties = {}, required = [] } = flatten(schema);
  const bodies: { body: unknown; field: string }[] = [
    { body: "", field: "" },
    { body: "{", field: "" },
    { body: "null", field: "" },
    { body: "[]", field: "" },
    { body: `${JSON.stringify(good)} {}`, field: "" },
    { body: new Uint8Array([0x22, 0xff, 0x22]), field: "" },
    ...(required.length === 0 ? [] : [{ body: {}, field: "" }]),
    { body: { ...good, ["tenant_id" in properties ? "tenant" : "tenant_id"]: "branch" }, field: "" },
  ];
  for (const name of required) {
    const { [name]: _, ...rest } = good;
    bodies.push({ body: rest, field: name });
  }
  for (const [name, property] of Object.entries(properties)) {
    for (const value of badMembers(property)) bodies.push({ body: { ...good, [name]: value }, field: name });
  }
  return bodies;
}

function badMembers(reference: Schema): unknown[] {
  const schema = flatten(reference);
  const types = [schema.type ?? []].flat();
  const values: unknown[] = [];
  if (types.includes("string")) values.push(7, {}, ["x"]);
  if (types.includes("object")) values.push("x", [], { tenant_id: "branch" });
  if (types.includes("array")) values.push("x", {}, [7]);
  if (types.length > 0 && !types.includes("null")) values.push(null);
  if (schema.enum) values.push("nope");
  if (schema.minLength !== undefined) values.push("");
  if (schema.maxLength !== undefined) values.push("x".repeat(schema.maxLength + 1));
  if (schema.pattern?.includes("Cc")) values.push("a\u0000b", "   ");
  if (schema.maxItems !== undefined) values.push(Array(schema.maxItems + 1).fill("x"));
  if (schema.format === "date-time") values.push("yesterday");
  return values;
}
