import assert from "node:assert/strict";
import fc from "fast-check";
import { type Place, SpillFile } from "./spill-file.ts";

async function withFile(maxBytes: number, body: (file: SpillFile, directory: string) => void): Promise<void> {
  const directory = await Deno.makeTempDir();
  const file = new SpillFile(directory, maxBytes);
  try {
    body(file, directory);
  } finally {
    file.close();
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("what was put comes back, and what goes makes room", () =>
  withFile(10, (file) => {
    const [first, second] = [file.put(Uint8Array.of(1, 2, 3, 4)), file.put(Uint8Array.of(5, 6, 7, 8))];
    assert.deepEqual([...file.read(first!)], [1, 2, 3, 4]);
    assert.equal(file.put(new Uint8Array(3)), null);
    assert.equal(file.hasRoom, false);
    file.free(first!);
    assert.equal(file.hasRoom, true);
    const third = file.put(Uint8Array.of(9, 9, 9));
    assert.deepEqual([...file.read(second!)], [5, 6, 7, 8]);
    assert.deepEqual([...file.read(third!)], [9, 9, 9]);
  }));

Deno.test("no file of it has a name, and an empty one takes no room", () =>
  withFile(1 << 20, (file, directory) => {
    const place = file.put(new Uint8Array(1 << 20).fill(7))!;
    assert.deepEqual([...Deno.readDirSync(directory)], []);
    assert.equal(file.read(place).at(-1), 7);
    file.free(place);
    assert.throws(() => file.read(place), /expected 1048576 bytes, found 0/);
  }));

Deno.test("where nothing can be written nothing is taken, and it is tried again", async () => {
  const directory = await Deno.makeTempDir();
  const file = new SpillFile(`${directory}/later`, 100);
  assert.equal(file.put(new Uint8Array(1)), null);
  assert.equal(file.hasRoom, true);
  await Deno.mkdir(`${directory}/later`);
  assert.notEqual(file.put(new Uint8Array(1)), null);
  file.close();
  await Deno.remove(directory, { recursive: true });
});

Deno.test("whatever is put and freed in whatever order, nothing is overwritten and nothing lies beyond the bound", async () => {
  const most = 1000;
  const action = fc.oneof(
    fc.record({ put: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ free: fc.nat(9) }),
  );
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), (actions) =>
      withFile(most, (file) => {
        const there: { place: Place; byte: number }[] = [];
        actions.forEach((one, byte) => {
          if ("put" in one) {
            const place = file.put(new Uint8Array(one.put).fill(byte));
            if (place === null) return assert.ok(there.length > 0, "an empty one has room");
            assert.ok(place.at + place.length <= most);
            there.push({ place, byte });
          } else {
            // Mostly the oldest goes, as whoever waits longest is served first.
            for (const { place } of there.splice(one.free < 7 ? 0 : one.free, 1)) file.free(place);
          }
          for (const { place, byte } of there) assert.ok(file.read(place).every((read) => read === byte));
          kept = Math.max(kept, there.length);
        });
      })),
  );
  assert.ok(kept > 3);
});
