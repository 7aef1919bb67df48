// Compile-time tests: `deno check` fails if a constant does not have the stated truth value.

import assert from "node:assert/strict";
import type { Device } from "../contract/device/device.ts";
import type { Tx } from "../store/engine/database.ts";
import type { Handlers } from "./handler.ts";

type Fits<Value, Target> = Value extends Target ? true : false;
type Answer<Id extends keyof Handlers> = Awaited<ReturnType<Handlers[Id]>>;
type Call<Id extends keyof Handlers> = Parameters<Handlers[Id]>[0];
type Data<Id extends keyof Handlers> = Answer<Id>["data"];

Deno.test("a handler's answer has the type of its route's response", () => {
  const page: Fits<{ data: Device[]; nextCursor: null }, Answer<"listDevices">> = true;
  const withoutCursor: Fits<{ data: Device[] }, Answer<"listDevices">> = false;
  const partialItem: Fits<{ data: { device_id: string }[]; nextCursor: null }, Answer<"listDevices">> = false;
  const otherStatus: Fits<{ data: Device[]; nextCursor: null; status: 503 }, Answer<"listDevices">> = false;
  const report: Fits<{ data: Data<"getHealth">; status: 503 }, Answer<"getHealth">> = true;
  const otherData: Fits<{ data: Device }, Answer<"getHealth">> = false;
  const patched: Fits<{ data: Data<"patchDevice">; etag: number }, Answer<"patchDevice">> = true;
  const withoutTag: Fits<{ data: Data<"patchDevice"> }, Answer<"patchDevice">> = false;
  assert.deepEqual([page, report, patched], [true, true, true]);
  assert.deepEqual([withoutCursor, partialItem, otherStatus, otherData, withoutTag].some(Boolean), false);
});

Deno.test("a handler's call has what its route provides", () => {
  const readTx: Fits<Call<"listDevices">, { tx: unknown }> = false;
  const writeTx: Fits<Call<"createModelFeedback">, { tx: Tx }> = true;
  const creationRevision: Fits<Call<"createModelFeedback">, { ifMatch: unknown }> = false;
  const patchRevision: Fits<Call<"patchDevice">, { tx: Tx; ifMatch: number }> = true;
  assert.deepEqual([readTx, creationRevision], [false, false]);
  assert.deepEqual([writeTx, patchRevision], [true, true]);
});
