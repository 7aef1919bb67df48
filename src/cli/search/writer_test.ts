import assert from "node:assert/strict";
import { type Output, writeGroups } from "./writer.ts";

Deno.test("packets are shown as a number, bytes as a size", () => {
  for (
    const [measure, shown] of [["packets", "1500000"], ["bytes", "1.50 MB"], [
      "src.bytes",
      "1.50 MB",
    ]] as const
  ) {
    let text = "";
    const output = { format: "table", columns: null, write: (part: string) => void (text += part) } as Output;
    const groups = [{ key: ["10.0.0.5"], total: 1_500_000 }];
    writeGroups(output, { field: "src.ip", measure, groups, other: null, names: new Map() }, {} as never);
    assert.match(text, new RegExp(`^10\\.0\\.0\\.5 +${shown.replace(".", "\\.")}$`, "m"));
  }
});
