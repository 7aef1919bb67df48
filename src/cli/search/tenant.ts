import { QuestionError } from "./run.ts";

/** The tenant that a command is about: the given one, or the only one. */
export function tenantOf(given: string | undefined, known: readonly string[]): string {
  const names = known.join(", ") || "none";
  if (given !== undefined) {
    if (known.includes(given)) return given;
    throw new QuestionError(`there is no tenant ${given}; there are: ${names}`);
  }
  if (known.length === 1) return known[0]!;
  throw new QuestionError(`choose a tenant with --tenant; there are: ${names}`);
}
