// The fields of the search language. Everything else about a field follows from this table: parser, completion,
// printer, OpenAPI documentation, SQL (`store/search`) and the in-memory predicate (`domain/search`).

import { ENTITY_FIELDS } from "./entity-fields.ts";
import type { Field } from "./field.ts";
import { FLOW_FIELDS } from "./flow-fields.ts";
import { RECORD_FIELDS } from "./record-fields.ts";

const COMMON_FIELDS = {
  any: {
    owner: "all",
    type: "any",
    description:
      "A bare word: an address, CIDR, port, name, fingerprint or text finds itself in every field of its type.",
    example: "198.51.100.7",
  },
  time: {
    owner: "all",
    type: "time",
    description: "Start of a flow; last activity of a device or incident. Replaces the default time window.",
    example: "time:today",
  },
  first_seen: {
    owner: "all",
    type: "time",
    aliases: ["new", "firstseen"],
    description: "First activity of a device or incident; start of a flow.",
    example: "first_seen>=-7d",
  },
  last_seen: {
    owner: "all",
    type: "time",
    aliases: ["lastseen"],
    description: "Last activity of a device or incident; end of a flow.",
    example: "last_seen<-2d",
  },
} as const satisfies Record<string, Field>;

const FIELD_TABLE = { ...COMMON_FIELDS, ...FLOW_FIELDS, ...RECORD_FIELDS, ...ENTITY_FIELDS };

export type FieldName = keyof typeof FIELD_TABLE;

/** The field table, in the order of the documentation. */
export const FIELDS: Readonly<Record<FieldName, Field>> = FIELD_TABLE;
export const FIELD_NAMES = Object.keys(FIELD_TABLE) as [FieldName, ...FieldName[]];
