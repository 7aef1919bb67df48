// ndr.env, as systemd reads it: `NAME=value` per line, the value bare or in quotes.

const ASSIGNMENT = /^\s*([A-Z][A-Z0-9_]*)=(.*)$/;
/** A value that means the same to systemd and to a shell without quotes. */
const BARE = /^[A-Za-z0-9_@%:\/.,?+~=^-]*$/;

/** The variables that the text sets; the last assignment counts. */
export function parseEnvFile(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const line of text.split("\n")) {
    const match = ASSIGNMENT.exec(line);
    if (match) variables.set(match[1]!, valueOf(match[2]!.trim()));
  }
  return variables;
}

/**
 * The text with a variable set to a value of one line: its last assignment is replaced, else the first that is commented
 * out, else a line is added. Everything else stays, and so does all of it if the variable has the value.
 */
export function withVariable(text: string, name: string, value: string): string {
  if (/[\r\n\0]/.test(value)) throw new TypeError(`${name}: expected one line`);
  if (parseEnvFile(text).get(name) === value) return text;
  const lines = text.split("\n");
  const line = `${name}=${quoted(value)}`;
  const active = lines.findLastIndex((one) => ASSIGNMENT.exec(one)?.[1] === name);
  const at = active === -1
    ? lines.findIndex((one) => ASSIGNMENT.exec(one.replace(/^\s*#\s*/, ""))?.[1] === name)
    : active;
  if (at !== -1) lines[at] = line;
  else lines.splice(lines.at(-1) === "" ? -1 : lines.length, 0, line);
  return lines.join("\n");
}

function valueOf(raw: string): string {
  const [, double, single] = /^"((?:[^"\\]|\\.)*)"$|^'([^']*)'$/.exec(raw) ?? [];
  if (double !== undefined) return double.replace(/\\(["\\`$])/g, "$1");
  return single ?? raw.replace(/\\(.)/g, "$1");
}

function quoted(value: string): string {
  return BARE.test(value) ? value : `"${value.replace(/["\\`$]/g, "\\$&")}"`;
}
