import { parseEnvFile } from "./env-file.ts";
import { DEFAULT_CONFIG_DIR } from "./environment.ts";
import { type ConfigInput, systemInput } from "./yaml/input.ts";

/** The environment, with the variables of ndr.env in NDR_CONFIG_DIR as a fallback, which a shell does not have. */
export function installedInput(input: ConfigInput = systemInput): ConfigInput {
  const path = `${input.env("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR}/ndr.env`;
  let variables: ReadonlyMap<string, string> = new Map();
  try {
    variables = parseEnvFile(new TextDecoder().decode(input.readFile(path)));
  } catch {
    // Missing or not readable: the environment must have everything.
  }
  return { ...input, env: (name) => input.env(name) || variables.get(name) };
}
