import assert from "node:assert/strict";
import fc from "fast-check";
import { documents, type Item, lines } from "./items.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function* piecesOf(text: string, size: number) {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += size) {
    const data = bytes.subarray(at, at + size);
    yield { data, offset: at + data.length };
  }
}

async function collect(items: AsyncIterable<Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const group of items) all.push(...group);
  return all;
}

async function texts(items: AsyncIterable<Item[]>): Promise<(string | null)[]> {
  return (await collect(items)).map(({ bytes }) => bytes === null ? null : decoder.decode(bytes));
}

Deno.test("lines are numbered as in an editor, whatever the pieces", async () => {
  const text = "\ufeffone\r\n\ntwo é\nlast";
  for (const size of [1, 2, 3, 7, 100]) {
    assert.deepEqual(await texts(lines(piecesOf(text, size), 100)), ["one", "", "two é", "last"], `${size}`);
  }
  const items = await collect(lines(piecesOf("a\nbc\n", 100), 10));
  assert.deepEqual(items.map(({ number, offset }) => [number, offset]), [[1, 2], [2, 5]]);
  assert.deepEqual(await texts(lines(piecesOf("", 1), 10)), []);
});

Deno.test("a line beyond the limit is dropped, not buffered, and still counts", async () => {
  for (const size of [1, 4, 100]) {
    assert.deepEqual(await texts(lines(piecesOf("abc\n0123456789\nde\n01234", size), 4)), [
      "abc",
      null,
      "de",
      null,
    ]);
  }
});

Deno.test("the objects of an array, and of a text over several lines, are items", async () => {
  const cases: [string, string[]][] = [
    ['[{"a":1},{"b":[1,{"c":"]}"}]}]', ['{"a":1}', '{"b":[1,{"c":"]}"}]}']],
    ['[\n  {\n    "a": "x\\"{"\n  },\n  {}\n]\n', ['{     "a": "x\\"{"   }', "{}"]],
    ['{\n"a": 1\n}\n{"b":2}', ['{ "a": 1 }', '{"b":2}']],
    ["[]", []],
    ["[1, {}]", ["[1, ", "{}"]],
    ['[{"a":1},{"b":', ['{"a":1}', '{"b":']],
  ];
  for (const [text, expected] of cases) {
    for (const size of [1, 3, 100]) {
      assert.deepEqual(await texts(documents(piecesOf(text, size), 100)), expected, `${text} by ${size}`);
    }
  }
});

Deno.test("any array of objects is cut into its objects", async () => {
  const value = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(value, fc.integer({ min: 1, max: 9 }), fc.nat(2), async (objects, size, indent) => {
      const text = JSON.stringify(objects, null, indent);
      const found = await texts(documents(piecesOf(text, size), 1e6));
      assert.deepEqual(found.map((item) => JSON.parse(item!)), JSON.parse(JSON.stringify(objects)));
    }),
  );
});
