const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/**
 * The lines of an NDJSON body, as views into it, without LF or CR LF. Lines that are empty or hold only
 * spaces, tabs and CRs are left out; the last line needs no line end.
 */
export function splitLines(body: Uint8Array): Uint8Array[] {
  const bytes = plain(body);
  const lines: Uint8Array[] = [];
  for (let start = nextLine(bytes, 0); start < bytes.length;) {
    const end = lineEnd(bytes, start);
    lines.push(bytes.subarray(start, bytes[end - 1] === CR ? end - 1 : end));
    start = nextLine(bytes, end);
  }
  return lines;
}

/** How many lines `splitLines` would return, counted up to `limit`. */
export function countLines(body: Uint8Array, limit: number): number {
  const bytes = plain(body);
  let lines = 0;
  for (let start = nextLine(bytes, 0); start < bytes.length && lines < limit;) {
    lines++;
    start = nextLine(bytes, lineEnd(bytes, start));
  }
  return lines;
}

/** The same bytes as a plain array: Buffer's `indexOf` and `subarray` take twice as long. */
function plain({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Start of the first line that is not blank at or after `from`; the body's length if there is none. */
function nextLine(bytes: Uint8Array, from: number): number {
  let start = from;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LF) start = at + 1;
    else if (byte !== SPACE && byte !== TAB && byte !== CR) return start;
  }
  return bytes.length;
}

function lineEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(LF, start);
  return end === -1 ? bytes.length : end;
}
