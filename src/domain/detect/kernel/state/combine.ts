// Combinators that several states need in addition to those of schema.ts.
import type { Field } from "./schema.ts";

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

/** The same field with its own estimate of the bytes that a value takes as an object. */
export function sized<T>(field: Field<T>, size: (value: T) => number): Field<T> {
  return { ...field, size };
}
