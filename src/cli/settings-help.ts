// Help of `ndr core` and `ndr web` on configuration, rendered from the reference.

import { CONFIG_FILES, OTEL_TEXT, type Reader, VARIABLES } from "../config/reference.ts";

/** Columns of a terminal. */
const WIDTH = 110;
const NAME_WIDTH = 24;

const FAULTS =
  "A wrong configuration stops the start and lists every fault with its file, line and what is expected.";

export const CORE_HELP = helpFor(
  "core",
  `Executors of response.yaml report at POST /internal/v1/response-actions/{action_id}/outcomes with their token
as Authorization: Bearer, an Idempotency-Key, and {status, detail, lease_expires_at, identity} as JSON; status
is executed, failed, reconciling, rolled_back or expired.`,
);

export const WEB_HELP = helpFor(
  "web",
  `If NDR_PUBLIC_URL is https, a client's address is the last entry of X-Forwarded-For: let the proxy set or
append it. If it is http, the header is ignored.`,
);

function helpFor(reader: Reader, more: string): string {
  const variables = VARIABLES.filter(({ readBy }) => readBy.includes(reader)).map(
    ({ name, text, value, secret }) => {
      const required = value === "required" || (name === "NDR_PUBLIC_URL" && reader === "web");
      const without = required ? "; required" : value === null ? "" : ` (${value})`;
      return item(name, `${text}${secret ? `; or ${name}_FILE` : ""}${without}`);
    },
  );
  const files = CONFIG_FILES.filter(({ readBy }) => readBy.includes(reader)).map((
    { name, text, required, applied },
  ) => item(name, `${text}${required ? "; required" : ""} [${applied}]`));
  return [
    "",
    "Environment (defaults in parentheses):",
    ...variables,
    "",
    wrap(OTEL_TEXT, 0),
    "",
    "Files in NDR_CONFIG_DIR [when a change is applied]:",
    ...files,
    "",
    more,
    "",
    FAULTS,
    "When a file has a fault at SIGHUP, the running configuration stays.",
  ].join("\n");
}

function item(name: string, text: string): string {
  const head = `  ${name}`.padEnd(NAME_WIDTH);
  return `${head} ${wrap(text, NAME_WIDTH + 1)}`;
}

/** Breaks a text at the terminal's width; further lines are indented. */
function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}
