// Tokens that a configuration file references by environment variable.

import { z } from "zod";
import { MIN_TOKEN_LENGTH } from "./environment.ts";
import type { Secret } from "./secret.ts";
import type { Variables } from "./variables.ts";

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const VariableName = z.string().regex(VARIABLE_NAME, "expected the name of an environment variable");

/** The token in the variable `name` or in the file of `name_FILE`; faults go to `report`. */
export function readBearerToken(
  variables: Variables,
  name: string,
  report: (why: string) => void,
): Secret | null {
  if (!variables.hasSecret(name)) {
    report(`expected ${name} (or ${name}_FILE) in the environment to hold the token, but it is not set`);
    return null;
  }
  const token = variables.secret(name, report);
  if (token === null) return null;
  if (token.length < MIN_TOKEN_LENGTH) {
    report(`expected a token of at least ${MIN_TOKEN_LENGTH} characters in ${name}, got ${token.length}`);
    return null;
  }
  // An Authorization header could never carry it.
  if (!/^[\x21-\x7e]+$/.test(token.reveal())) {
    report(`expected a token of printable ASCII characters without spaces in ${name}`);
    return null;
  }
  return token;
}
