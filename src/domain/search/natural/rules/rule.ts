import { lengthOfOne } from "../values/context.ts";
import type { Reader } from "./reader.ts";

/** One rule of the grammar. Rules are tried in the order of their table; the first one that applies is taken. */
export interface Rule {
  name: string;
  /** Returns the number of tokens that the rule takes, 0 if it does not apply. */
  apply(reader: Reader): number;
}

/** The parts of a rule. */
interface RuleParts<Found extends { length: number }> {
  name: string;
  /** Whether a negation before it has no operand: `not today`. */
  endsNegation?: true;
  /** What the words at the position are by themselves; null, or a length of 0, if they are something else. */
  pattern(reader: Reader): Found | null;
  /** Whether they can mean it after what has been read. Default: always. */
  guard?(reader: Reader, found: Found): boolean;
  /** Adds what they mean; returns the number of further tokens taken. */
  effect(reader: Reader, found: Found): number | void;
}

export function rule<Found extends { length: number }>(
  { name, endsNegation, pattern, guard = () => true, effect }: RuleParts<Found>,
): Rule {
  return {
    name,
    apply(reader) {
      const found = pattern(reader);
      if (found === null || found.length === 0 || !guard(reader, found)) return 0;
      if (endsNegation) reader.endNegation();
      return found.length + (effect(reader, found) ?? 0);
    },
  };
}

/** A match of one of these texts. */
export function oneOf(texts: readonly string[]): (reader: Reader) => { length: number } {
  return ({ all, at }) => ({ length: lengthOfOne(all, at, texts) });
}
