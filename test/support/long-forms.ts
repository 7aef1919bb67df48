/**
 * Every test whose numbers scale, by its path (below `test` unless it is in `src`), with what `make soak` adds to what `make test` states. Without a
 * remark it is more of the same.
 */
export const LONG_FORMS: Readonly<Record<string, string>> = {
  "contract/flow/many-flows": "more values of each parameter and more generated requests",
  "contract/graph/stream-property": "",
  "fault/alert-storm": "up to 50,000 records and 1,500 addresses of a prefix",
  "fault/analyst-kill": "",
  "fault/idempotency-kill": "",
  "fault/kill": "as many kills on PGlite as on PostgreSQL; make test has two",
  "fault/read-only": "",
  "fault/unplug-database":
    "the retention under a clock that is 40 days ahead, with the program; make test has it in store/engine/clock",
  "fault/webhook-chaos": "",
  "fault/year": "a year instead of five weeks",
  "fuzz/api": "",
  "fuzz/normalisers": "",
  "pipeline/record/ingest-capacity": "the limits of the product; make test has smaller ones",
  "program/flow/evidence-size": "",
  "program/transport/transport-outage": "",
  "src/contract/filter/complete": "",
  "src/contract/filter/group": "",
  "src/contract/filter/round-trip": "",
  "store/engine/clock": "",
  "store/graph/traffic-aggregate": "",
  "store/search/aggregate": "",
  "store/search/agreement": "",
  "store/search/terms": "",
};
