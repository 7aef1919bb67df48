// Declares how a detector's state is stored. Encoding, decoding, bounds and size all follow from one
// declaration, so a detector describes its fields once and the four cannot diverge.
import type { StateType } from "../detector.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";

/** How one value is stored. Combine the fields below, or write one by hand for a special form. */
export interface Field<T> {
  /** Throws a RangeError for a value outside the field's bounds. */
  write(out: ByteWriter, value: T): void;
  /** Throws a RangeError for bytes that are not a stored value. */
  read(from: ByteReader): T;
  /** Estimated bytes of the value in memory. */
  size(value: T): number;
  /** Most bytes of a stored value; Infinity for an unbounded text. */
  readonly maxBytes: number;
}

/** An integer from 0 to 2^53 - 1: one byte up to 127, at most eight. */
export const varint: Field<number> = {
  write: (out, value) => out.varint(value),
  read: (from) => from.varint(),
  size: () => 8,
  maxBytes: 8,
};

/** Any number, in eight bytes: times in microseconds, negative numbers, fractions. */
export const float: Field<number> = {
  write: (out, value) => out.float(value),
  read: (from) => from.float(),
  size: () => 12,
  maxBytes: 8,
};

/** A number or null, which is stored as NaN. */
export const floatOrNull: Field<number | null> = {
  write: (out, value) => out.float(value ?? NaN),
  read: (from) => {
    const value = from.float();
    return Number.isNaN(value) ? null : value;
  },
  size: () => 12,
  maxBytes: 8,
};

/** A non-negative number with one decimal, such as a score. */
export const tenths: Field<number> = {
  write: (out, value) => out.varint(Math.round(value * 10)),
  read: (from) => from.varint() / 10,
  size: () => 12,
  maxBytes: 8,
};

/** False or true, as 0 or 1. */
export const flag: Field<boolean> = {
  write: (out, value) => out.varint(value ? 1 : 0),
  read: (from) => from.varint() === 1,
  size: () => 4,
  maxBytes: 1,
};

/** A value that is not stored, because the version of the state implies it. */
export function constant<T>(value: T): Field<T> {
  return { write: () => {}, read: () => value, size: () => 4, maxBytes: 0 };
}

/** A text that the detector cuts to `maxLength` UTF-16 units; the bound is not enforced here. */
export function text(maxLength = Infinity): Field<string> {
  return {
    write: (out, value) => out.text(value),
    read: (from) => from.text(),
    size: (value) => 24 + 2 * value.length,
    maxBytes: 8 + 3 * maxLength,
  };
}

/** A text or null, which is stored as the empty text. */
export function textOrNull(maxLength = Infinity): Field<string | null> {
  const { maxBytes } = text(maxLength);
  return {
    write: (out, value) => out.text(value ?? ""),
    read: (from) => from.text() || null,
    size: (value) => value === null ? 4 : 24 + 2 * value.length,
    maxBytes,
  };
}

/** One of the values, stored as its index. The list may only grow at its end. */
export function oneOf<T>(values: readonly T[], name: string): Field<T> {
  return {
    write: (out, value) => out.varint(values.indexOf(value)),
    read: (from) => {
      const index = from.varint();
      if (index >= values.length) {
        throw new RangeError(`${name}: expected an index below ${values.length}, got ${index}`);
      }
      return values[index]!;
    },
    size: () => 8,
    maxBytes: 8,
  };
}

/** A value or null, with a byte before it that tells them apart. */
export function optional<T>(field: Field<T>): Field<T | null> {
  return {
    write: (out, value) => {
      out.varint(value === null ? 0 : 1);
      if (value !== null) field.write(out, value);
    },
    read: (from) => from.varint() === 1 ? field.read(from) : null,
    size: (value) => value === null ? 4 : field.size(value),
    maxBytes: 1 + field.maxBytes,
  };
}

/** Up to `max` values, after their number. Detectors keep the bound; reading a longer list fails. */
export function list<T>(field: Field<T>, max: number): Field<T[]> {
  return {
    write: (out, values) => {
      out.varint(values.length);
      for (const value of values) field.write(out, value);
    },
    read: (from) => {
      const length = from.varint();
      if (length > max) throw new RangeError(`expected a list of at most ${max}, got ${length}`);
      const values: T[] = [];
      for (let left = length; left > 0; left--) values.push(field.read(from));
      return values;
    },
    size: (values) => {
      let sum = 16;
      for (const value of values) sum += field.size(value);
      return sum;
    },
    maxBytes: 8 + max * field.maxBytes,
  };
}

/** The fields of an object, stored in the order of their declaration. */
export function record<T extends object>(fields: { readonly [Name in keyof T]: Field<T[Name]> }): Field<T> {
  const names = Object.keys(fields) as (keyof T)[];
  const parts = names.map((name) => fields[name] as Field<T[keyof T]>);
  return {
    write: (out, value) => {
      for (let at = 0; at < parts.length; at++) parts[at]!.write(out, value[names[at]!]);
    },
    read: (from) => {
      const value = {} as T;
      for (let at = 0; at < parts.length; at++) value[names[at]!] = parts[at]!.read(from);
      return value;
    },
    size: (value) => {
      let sum = 24;
      for (let at = 0; at < parts.length; at++) sum += parts[at]!.size(value[names[at]!]);
      return sum;
    },
    maxBytes: parts.reduce((sum, { maxBytes }) => sum + maxBytes, 0),
  };
}

/** A value that is stored as another one. */
export function mapped<T, Stored>(
  field: Field<Stored>,
  toStored: (value: T) => Stored,
  fromStored: (stored: Stored) => T,
): Field<T> {
  return {
    write: (out, value) => field.write(out, toStored(value)),
    read: (from) => fromStored(field.read(from)),
    size: (value) => field.size(toStored(value)),
    maxBytes: field.maxBytes,
  };
}

/** An object of two parts, stored one after the other. */
export function joined<First extends object, Rest extends object>(
  first: Field<First>,
  rest: Field<Rest>,
): Field<First & Rest> {
  return {
    write: (out, value) => {
      first.write(out, value);
      rest.write(out, value);
    },
    read: (from) => Object.assign(first.read(from), rest.read(from)),
    size: (value) => first.size(value) + rest.size(value),
    maxBytes: first.maxBytes + rest.maxBytes,
  };
}

/** The same field with its own estimate of the bytes of a value in memory. */
export function sized<T>(field: Field<T>, size: (value: T) => number): Field<T> {
  return { ...field, size };
}

/** One stored form of a state. */
interface StateVersion<S> {
  /** Stored first. */
  readonly version: number;
  readonly fields: Field<S>;
  /** Whether a state is written in this form; the first match applies. Without it, every state is. */
  matches?(state: S): boolean;
}

/** What a detector declares of one type of state. */
interface StateDeclaration<S>
  extends Pick<StateType<S>, "id" | "name" | "keepDays" | "readElsewhere" | "empty"> {
  /** Bytes of another version are rejected, and the state starts empty. */
  readonly version: number;
  readonly fields: Field<S>;
}

/** A declaration of a state with several stored forms. */
interface VersionedDeclaration<S> extends Omit<StateDeclaration<S>, "version" | "fields"> {
  readonly versions: readonly StateVersion<S>[];
}

/** What the object itself takes in addition to its fields. */
const OBJECT_BYTES = 40;
/** Most states are smaller; a larger one grows its buffer. */
const USUAL_BYTES = 512;

/**
 * @example
 * export const FLOODS = defineState<FloodState>({
 *   id: 47,
 *   name: "floods",
 *   keepDays: 3,
 *   version: 1,
 *   empty: () => ({ targets: [] }),
 *   fields: record({ targets: list(TARGET, MAX_TARGETS) }),
 * });
 */
export function defineState<S>(declaration: StateDeclaration<S>): StateType<S> {
  const { version, fields, ...type } = declaration;
  return defineVersionedState({ ...type, versions: [{ version, fields }] });
}

/** For a state with several stored forms: a rare field, or bytes of an earlier version. */
export function defineVersionedState<S>({ versions, ...type }: VersionedDeclaration<S>): StateType<S> {
  const known = versions.map(({ version }) => version).join(" or ");
  const formOf = (state: S): StateVersion<S> => {
    for (const form of versions) if (form.matches === undefined || form.matches(state)) return form;
    throw new RangeError(`${type.name}: no version for this state`);
  };
  return {
    ...type,
    maxBytes: varint.maxBytes + Math.max(...versions.map(({ fields }) => fields.maxBytes)),
    encode: (state) => {
      const { version, fields } = formOf(state);
      const out = new ByteWriter(USUAL_BYTES);
      out.varint(version);
      fields.write(out, state);
      return out.bytes();
    },
    decode: (bytes) => {
      const from = new ByteReader(bytes);
      const found = from.varint();
      for (const { version, fields } of versions) {
        if (version !== found) continue;
        const state = fields.read(from);
        from.end();
        return state;
      }
      throw new RangeError(`${type.name}: expected version ${known}, got ${found}`);
    },
    size: (state) => OBJECT_BYTES + formOf(state).fields.size(state),
  };
}
