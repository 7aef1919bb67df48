const LF = 0x0a;
const CR = 0x0d;

/**
 * The lines of an NDJSON body, as views into it, without their LF or CR LF. Lines that are empty or hold
 * only spaces, tabs and CRs are left out; a last line needs no line end.
 */
export function splitLines(body: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  while (start < body.length) {
    let end = body.indexOf(LF, start);
    if (end === -1) end = body.length;
    const next = end + 1;
    if (end > start && body[end - 1] === CR) end--;
    if (!isBlank(body, start, end)) lines.push(body.subarray(start, end));
    start = next;
  }
  return lines;
}

function isBlank(body: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = body[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== CR) return false;
  }
  return true;
}
