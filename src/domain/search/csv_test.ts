import assert from "node:assert/strict";
import { csvRow } from "./csv.ts";

Deno.test("csv: a text that a spreadsheet would run as a formula is inert, in both widths", () => {
  for (const sign of ["=", "+", "-", "@", "\t", "＝", "＋", "－", "＠"]) {
    assert.match(csvRow([`${sign}1+1`]), /^"?'/, sign);
  }
  assert.equal(csvRow([-1, "a"]), "-1,a\r\n", "a number is no text");
});

Deno.test("csv: cells stay whole for readers that separate them by commas or semicolons", () => {
  assert.equal(csvRow(["a;=1+1", 'b"c', "d,e", "f\ng", null]), '"a;=1+1","b""c","d,e","f\ng",\r\n');
});
