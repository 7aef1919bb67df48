// What a field of the search language is.

/**
 * How a field is compared.
 *
 * | operator | text form | true if |
 * |---|---|---|
 * | `matches` | `field:value` | the type's natural match: inside a CIDR, wildcard name, part of a text |
 * | `=` | `field=value` | exactly equal, letter case aside |
 * | `!=` | `field!=value` | not `=`; also true if the field has no value |
 * | `<` `<=` `>` `>=` | `field<value` | compares numbers, sizes, durations, times, severities |
 * | `range` | `field:low..high` | between both, inclusive; the end of a time range is exclusive |
 * | `exists` | `field:*` | the field has a value |
 *
 * Every comparison is true or false, never unknown: one of a missing value is false. A field with several
 * values (both ends, tags, DNS answers) is compared with each of them, and one is enough.
 */
export const OPERATORS = ["matches", "=", "!=", "<", "<=", ">", ">=", "range", "exists"] as const;
export type Operator = (typeof OPERATORS)[number];

/** The type of a field's values: how they are written, compared and printed (`values.ts`). */
const FIELD_TYPES = [
  "address",
  "port",
  "name",
  "fingerprint",
  "text",
  "enum",
  "country",
  "asn",
  "number",
  "bytes",
  "rate",
  "duration",
  "time",
  "vlan",
  "id",
  "any",
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Operators by type; `exists` needs no value. */
export const OPERATORS_OF: Record<FieldType, readonly Operator[]> = {
  address: ["matches", "=", "!=", "range", "exists"],
  port: ["matches", "=", "!=", "<", "<=", ">", ">=", "range", "exists"],
  name: ["matches", "=", "!=", "exists"],
  fingerprint: ["matches", "=", "!=", "exists"],
  text: ["matches", "=", "!=", "exists"],
  enum: ["matches", "=", "!=", "exists"],
  country: ["matches", "=", "!=", "exists"],
  asn: ["matches", "=", "!=", "exists"],
  number: ["matches", "=", "!=", "<", "<=", ">", ">=", "range", "exists"],
  bytes: ["matches", "=", "!=", "<", "<=", ">", ">=", "range", "exists"],
  rate: ["matches", "=", "!=", "<", "<=", ">", ">=", "range", "exists"],
  duration: ["matches", "=", "!=", "<", "<=", ">", ">=", "range", "exists"],
  time: ["matches", "<", "<=", ">", ">=", "range"],
  vlan: ["matches", "=", "!=", "exists"],
  id: ["matches", "=", "!=", "exists"],
  any: ["matches"],
};

/**
 * What a field belongs to. A search for one kind may use the fields of the others: a flow has the devices at its
 * two ends and the incidents it is evidence of; a device has its flows in the window and its incidents; an incident
 * has the flows of its evidence and its devices. Conditions on another kind that stand together (joined by `and`)
 * must hold for one and the same flow, device or incident. `all`: the field exists on each kind itself.
 */
export type FieldOwner = "flow" | "device" | "incident" | "all";

export interface Field {
  owner: FieldOwner;
  type: FieldType;
  /** Other spellings, accepted by the parser and printed as the name. */
  aliases?: readonly string[];
  description: string;
  /** A comparison in text form. */
  example: string;
  /** Allowed values of an enumeration, in ascending order if they have one. */
  values?: readonly string[];
  /** Other spellings of values: `ssl` for `tls`. */
  valueAliases?: Readonly<Record<string, string>>;
  /** Whether values are ordered, so that `<` and `range` apply. */
  ordered?: true;
  /** Whether the values of the last day can be completed. */
  completes?: true;
  /**
   * The kind of dictionary term behind the field: it stands in records, not in the flow itself, and is found
   * through the dictionary.
   */
  term?: TermKind;
}

/** Kinds of dictionary terms: texts of records, each stored once per day and tenant. */
export const TERM_KINDS = [
  "server_name",
  "dns_query",
  "dns_answer",
  "dns_type",
  "dns_rcode",
  "tls_version",
  "ja3",
  "ja3s",
  "ja4",
  "ja4s",
  "certificate",
  "certificate_subject",
  "certificate_issuer",
  "http_host",
  "http_path",
  "http_method",
  "http_status",
  "user_agent",
  "ssh_client",
  "ssh_server",
  "hassh",
  "hassh_server",
  "user",
  "logon",
  "smb_file",
  "smb_share",
  "alert",
  "alert_id",
  "alert_category",
  "anomaly",
] as const;
export type TermKind = (typeof TERM_KINDS)[number];
