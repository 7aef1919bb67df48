import assert from "node:assert/strict";
import type { GridColumn } from "./grid-column.ts";
import { arrange } from "./grid-preferences.ts";

const columns: GridColumn<string>[] = [
  { id: "time", header: "Time", width: 80, cell: (row) => row },
  { id: "peer", header: "Peer", width: 80, cell: (row) => row },
  { id: "vlan", header: "VLAN", width: 80, cell: (row) => row, hidden: true },
];

function ids(arranged: ReturnType<typeof arrange<string>>) {
  return { columns: arranged.columns.map(({ id }) => id), shown: arranged.shown.map(({ id }) => id) };
}

Deno.test("grid preferences: columns stand in their own order and hide by default", () => {
  assert.deepEqual(ids(arrange(columns, { visible: {}, order: [] })), {
    columns: ["time", "peer", "vlan"],
    shown: ["time", "peer"],
  });
});

Deno.test("grid preferences: a stored arrangement orders the columns it names, others follow", () => {
  const stored = { visible: { vlan: true, time: false, gone: true }, order: ["vlan", "gone", "peer"] };
  assert.deepEqual(ids(arrange(columns, stored)), {
    columns: ["vlan", "peer", "time"],
    shown: ["vlan", "peer"],
  });
});
