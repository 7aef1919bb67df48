import assert from "node:assert/strict";
import fc from "fast-check";
import { ByteReader, ByteWriter } from "./bytes.ts";
import { RefList } from "./ref-list.ts";
import type { EvidenceRef } from "../result.ts";

/** Few distinct times and ids, so that equal ones occur. */
const ref: fc.Arbitrary<EvidenceRef> = fc.record({
  evidenceId: fc.oneof(fc.uuid(), fc.constantFrom(uuid("0"), uuid("8"), uuid("f"))),
  observedAt: fc.oneof(fc.nat(5), fc.integer({ min: 0, max: 2 ** 51 })),
  flowId: fc.uuid(),
}, { noNullPrototype: true });

function uuid(digit: string): string {
  return "00000000-0000-0000-0000-000000000000".replaceAll("0", digit);
}

Deno.test("references: keeps the newest by time and id, whatever the order of arrival", () => {
  fc.assert(fc.property(
    fc.uniqueArray(ref, { selector: (one) => one.evidenceId, maxLength: 60 }),
    fc.integer({ min: 1, max: 40 }),
    (refs, limit) => {
      const list = new RefList();
      for (const one of refs) list.add(one, limit);
      const sorted = [...refs].sort((a, b) =>
        a.observedAt - b.observedAt || (a.evidenceId < b.evidenceId ? -1 : 1)
      );
      assert.deepEqual(list.list(), sorted.slice(-limit));
      assert.equal(list.length, Math.min(limit, refs.length));
    },
  ));
});

Deno.test("references: survive storage", () => {
  fc.assert(fc.property(fc.array(ref, { maxLength: 40 }), (refs) => {
    const list = new RefList();
    for (const one of refs) list.add(one, 32);
    const out = new ByteWriter(0);
    list.write(out);
    const from = new ByteReader(out.bytes());
    assert.deepEqual(RefList.read(from).list(), list.list());
    from.end();
  }));
});

Deno.test("references: dropping old ones leaves the others unchanged", () => {
  fc.assert(fc.property(fc.array(ref, { maxLength: 40 }), fc.nat(6), (refs, oldest) => {
    const list = new RefList();
    for (const one of refs) list.add(one, 32);
    const before = list.list();
    list.dropBefore(oldest);
    assert.deepEqual(list.list(), before.filter(({ observedAt }) => observedAt >= oldest));
  }));
});

Deno.test("references: an id that is not a lower-case UUID is rejected and changes nothing", () => {
  const good = { evidenceId: uuid("a"), observedAt: 1, flowId: uuid("f") };
  const list = new RefList();
  list.add(good, 4);
  for (const bad of ["", uuid("A"), uuid("g"), `${uuid("1")}0`, uuid("1").replaceAll("-", "0"), uuid("š")]) {
    assert.throws(() => list.add({ ...good, evidenceId: bad }, 4), RangeError);
    assert.throws(() => list.add({ ...good, flowId: bad }, 4), RangeError);
  }
  assert.deepEqual(list.list(), [good]);
});

Deno.test("references: bytes that end early are rejected", () => {
  const list = new RefList();
  list.add({ evidenceId: uuid("a"), observedAt: 1, flowId: uuid("f") }, 4);
  const out = new ByteWriter(0);
  list.write(out);
  const bytes = out.bytes();
  for (let end = 0; end < bytes.length; end++) {
    assert.throws(() => RefList.read(new ByteReader(bytes.subarray(0, end))), RangeError);
  }
});
