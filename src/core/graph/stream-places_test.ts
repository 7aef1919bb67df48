import assert from "node:assert/strict";
import { type StreamPlace, StreamPlaces } from "./stream-places.ts";

/** Opens streams (`main/ada` is one of Ada's in the tenant main) and returns who had to leave for each, `refused` or "". */
function open(most: number, newcomers: readonly string[]): string[] {
  const places = new StreamPlaces(most);
  let left = "";
  return newcomers.map((name) => {
    left = "";
    const [tenant, person] = name.split("/") as [string, string];
    const place: StreamPlace | null = places.enter({ tenant, person });
    if (place === null) return "refused";
    place.lose = () => left = name;
    assert.ok(places.taken <= most);
    return left;
  });
}

Deno.test("stream places: a newcomer takes the oldest one of the person who holds the most", () => {
  assert.deepEqual(open(3, ["main/ada", "main/ada", "main/ada", "main/bob", "main/bob", "main/ada"]), [
    "",
    "",
    "",
    "main/ada",
    "refused",
    "refused",
  ]);
  assert.deepEqual(open(3, ["main/ada", "main/ada", "main/ada", "branch/cy", "branch/cy"]), [
    "",
    "",
    "",
    "main/ada",
    "refused",
  ]);
});

Deno.test("stream places: people who hold one each leave for a tenant that holds fewer", () => {
  const people = ["main/a", "main/b", "main/c", "main/d"];
  assert.deepEqual(open(4, [...people, "branch/x", "branch/y", "branch/z", "main/e"]), [
    "",
    "",
    "",
    "",
    "main/a",
    "main/b",
    "refused",
    "refused",
  ]);
});

Deno.test("stream places: a tenant that holds fewer loses none to a larger one", () => {
  assert.deepEqual(
    open(5, ["branch/x", "branch/x", "main/a", "main/b", "main/c", "main/d"]),
    ["", "", "", "", "", "refused"],
  );
});

Deno.test("stream places: a place that was left is free", () => {
  const places = new StreamPlaces(1);
  const first = places.enter({ tenant: "main", person: "ada" })!;
  assert.equal(places.enter({ tenant: "main", person: "bob" }), null);
  places.leave(first);
  assert.ok(places.enter({ tenant: "main", person: "bob" }));
  assert.equal(places.taken, 1);
});
