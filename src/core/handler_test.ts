// Compile-time tests: `deno check` fails if a line marked `@ts-expect-error` compiles.

import assert from "node:assert/strict";
import type { Device } from "../contract/device/device.ts";
import type { Tx } from "../store/engine/database.ts";
import type { Handlers } from "./handler.ts";

declare const device: Device;
declare const answers: {
  listDevices: Awaited<ReturnType<Handlers["listDevices"]>>;
  getHealth: Awaited<ReturnType<Handlers["getHealth"]>>;
  patchDevice: Awaited<ReturnType<Handlers["patchDevice"]>>;
};

Deno.test("a handler's answer has the type of its route's response", () => {
  const typed = () => {
    const page: typeof answers.listDevices = { data: [device], nextCursor: null };
    // @ts-expect-error: a collection has a cursor
    const noCursor: typeof answers.listDevices = { data: [device] };
    // @ts-expect-error: an item has every field of the schema
    const partial: typeof answers.listDevices = { data: [{ device_id: "d" }], nextCursor: null };
    // @ts-expect-error: a list does not answer with another status
    const status: typeof answers.listDevices = { data: [], nextCursor: null, status: 503 };
    // @ts-expect-error: a health report is no device
    const other: typeof answers.getHealth = { data: device };
    // @ts-expect-error: a write to a revisioned resource has an ETag
    const noTag: typeof answers.patchDevice = { data: answers.patchDevice.data };
    return [page, noCursor, partial, status, other, noTag];
  };
  assert.equal(typeof typed, "function");
});

Deno.test("a handler's call has what its route provides", () => {
  const typed = () => {
    const read: Handlers["listDevices"] = ({ query }) =>
      Promise.resolve({ data: [], nextCursor: query.cursor ?? null });
    // @ts-expect-error: a read has no transaction
    const readTx: Handlers["listDevices"] = ({ tx }) => Promise.resolve({ data: [], nextCursor: String(tx) });
    const write: Handlers["patchDevice"] = ({ tx, ifMatch }) => answered(tx, ifMatch);
    // @ts-expect-error: a creation has no expected revision
    const creation: Handlers["createModelFeedback"] = ({ tx, ifMatch }) => answered(tx, ifMatch);
    return [read, readTx, write, creation];
  };
  assert.equal(typeof typed, "function");
});

declare function answered(tx: Tx, ifMatch: number): Promise<never>;
