import assert from "node:assert/strict";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import {
  destinationsOf,
  firstPattern,
  missingOf,
  namedDevices,
  patternOfFields,
  patternOfIncident,
  sourceOfText,
  sourceText,
} from "./suppression-pattern.ts";

type Result = IncidentDetail["model_results"][number];
type ResultPart = Pick<Result, "model_id" | "device_id" | "destinations">;

function incident(...results: ResultPart[]): Pick<IncidentDetail, "model_results"> {
  return { model_results: results.map((one) => one as Result) };
}

const BEACON: ResultPart = {
  model_id: "beacon",
  device_id: "d1",
  destinations: [{ ip: "198.51.100.9", name: null, port: 443 }],
};

Deno.test("suppression pattern: as narrow as the incident", () => {
  assert.deepEqual(patternOfIncident(incident(BEACON)), {
    source: "d1",
    destination: "198.51.100.9",
    port: 443,
    detector: "beacon",
  });
  const named = { ...BEACON, destinations: [{ ip: "198.51.100.9", name: "a.example.com", port: 443 }] };
  assert.equal(patternOfIncident(incident(named)).destination, "a.example.com");
  assert.deepEqual(destinationsOf(incident(BEACON, named)), ["198.51.100.9", "a.example.com"]);
});

Deno.test("suppression pattern: a field in which results differ is left open", () => {
  const other: ResultPart = {
    model_id: "beacon-name",
    device_id: "d1",
    destinations: [{ ip: "198.51.100.9", name: "a.example.com", port: null }],
  };
  assert.deepEqual(patternOfIncident(incident(BEACON, other)), {
    source: "d1",
    destination: "198.51.100.9",
    port: null,
    detector: null,
  });
  const silent = { ...BEACON, destinations: [] };
  const { destination, port } = patternOfIncident(incident(BEACON, silent));
  assert.deepEqual([destination, port], [null, null], "a result without destinations matches no destination");
  assert.equal(patternOfIncident(incident(BEACON, { ...BEACON, device_id: "d2" })).source, null);
});

Deno.test("suppression pattern: empty fields are unset", () => {
  const fields = { source: " ", destination: " example.com ", port: "0", detector: "" };
  assert.deepEqual(patternOfFields(fields), {
    source: null,
    destination: "example.com",
    port: 0,
    detector: null,
  });
});

Deno.test("suppression pattern: a source is a device by name, or an address as typed", () => {
  const devices = namedDevices([["d1", "Printer"], ["d2", "Printer"], ["d3", "Desk"]]);
  assert.deepEqual([...devices.keys()], ["Printer", "Printer (d2)", "Desk"]);
  for (const id of ["d1", "d2", "d3"]) assert.equal(sourceOfText(sourceText(id, devices), devices), id);
  assert.equal(sourceOfText(" 10.0.0.0/24 ", devices), "10.0.0.0/24");
  assert.equal(sourceText("10.0.0.5", devices), "10.0.0.5");
  assert.equal(sourceText(null, devices), "");
});

Deno.test("suppression pattern: results that differ in everything start with those of the leading one", () => {
  const result = (score: number, part: ResultPart) => ({ ...part, score }) as Result;
  const other = { ...BEACON, model_id: "exfiltration", device_id: "d2", destinations: [] };
  const [strong, weak] = [result(80, BEACON), result(40, other)];
  assert.deepEqual(firstPattern({ model_results: [weak, strong] }), patternOfIncident(incident(BEACON)));
  const whole = [strong, result(40, { ...BEACON, model_id: "beacon-name" })];
  assert.deepEqual(firstPattern({ model_results: whole }), patternOfIncident({ model_results: whole }));
});

Deno.test("suppression pattern: what is missing is said in words", () => {
  const none = { source: null, destination: null, port: null, detector: null };
  assert.equal(missingOf(none), "Still missing: the device or the destination, and one more field.");
  assert.equal(
    missingOf({ ...none, port: 443, detector: "beacon" }),
    "Still missing: the device or the destination.",
  );
  assert.equal(
    missingOf({ ...none, source: "d1" }),
    "Still missing: one more field, such as the port or the detector.",
  );
  assert.equal(missingOf({ ...none, source: "d1", port: 443 }), null);
});
