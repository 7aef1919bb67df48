// When a component of the health report has which status. This is the one place where that stands: the report is made by these
// limits, and the OpenAPI document and the README carry this table.

import type { HealthStatus } from "../record/kinds.ts";

/** Kinds of components, in the order in which a report has them. */
export const COMPONENT_KINDS = [
  "appliance",
  "store",
  "sensor",
  "pipeline",
  "disk",
  "retention",
  "intelligence",
  "geoip",
  "connector",
  "license",
  "telemetry",
  "update",
] as const;
export type ComponentKind = (typeof COMPONENT_KINDS)[number];

/** A sensor is never `stale` before it was silent this long. */
export const LEAST_PATIENCE_SECONDS = 900;
/** Silent this long it is `stale`, whatever was learned of it. */
export const MOST_PATIENCE_SECONDS = 96 * 3600;
/** A sensor that loses more of its capture than this is `degraded`. */
export const CAPTURE_LOSS_PERCENT = 5;
/** What a sensor said of its capture counts this long: three times the quarter of an hour after which Zeek says it anew. */
export const CAPTURE_CURRENT_SECONDS = 2700;
/** A record that waited this long for the pipeline makes it `degraded`, */
export const PIPELINE_DEGRADED_SECONDS = 60;
/** and this long `unavailable`. */
export const PIPELINE_UNAVAILABLE_SECONDS = 3600;

interface Condition {
  /** What the component is. */
  what: string;
  /** When it has a status; one that is not named never comes. */
  when: Partial<Record<HealthStatus, string>>;
  /** The worst that it can make of the overall status. */
  overall: HealthStatus;
}

export const HEALTH_CONDITIONS: Readonly<Record<ComponentKind, Condition>> = {
  appliance: {
    what: "the service as a whole",
    when: {
      ok: "every other component is, as far as it counts",
      stale: "a sensor is silent",
      degraded: "some component does not work as it should",
      unavailable: "records cannot be taken in or are not worked on: store, disk or pipeline",
    },
    overall: "unavailable",
  },
  store: {
    what: "the database",
    when: { ok: "it answers", unavailable: "it does not; what needs it is then told as unavailable, too" },
    overall: "unavailable",
  },
  sensor: {
    what: "one for each sensor of the registry; it is heard of when new records of it are stored",
    when: {
      ok: "it was heard of in the time that it usually takes",
      stale: `no record ever came, or none for longer than is usual: at least ${
        LEAST_PATIENCE_SECONDS / 60
      } minutes, at most ${MOST_PATIENCE_SECONDS / 3600} hours, learned as told below`,
      degraded: `it misses more than ${CAPTURE_LOSS_PERCENT} % of the traffic, by its own word of the last ${
        CAPTURE_CURRENT_SECONDS / 60
      } minutes`,
      unavailable: "the store is, so that nothing of it can be received",
    },
    overall: "degraded",
  },
  pipeline: {
    what:
      "what makes flows, devices and incidents of records; its lag is how long the oldest waiting record waits",
    when: {
      ok: `no record waits for more than ${PIPELINE_DEGRADED_SECONDS} s`,
      degraded: `a record waits for more than ${PIPELINE_DEGRADED_SECONDS} s`,
      unavailable: `one waits for more than ${
        PIPELINE_UNAVAILABLE_SECONDS / 60
      } minutes, or the store is unavailable`,
    },
    overall: "unavailable",
  },
  disk: {
    what: "the room on the disk of the database",
    when: {
      ok: "there is enough, or the database is on another machine and does not complain",
      degraded: "less than 5 % is free (at least 2 GiB, at most 50 GiB)",
      unavailable:
        "less than 1 % is free (at least 256 MiB, at most 10 GiB), or the database has no room: ingest is stopped",
    },
    overall: "unavailable",
  },
  retention: {
    what: "the limit NDR_RETENTION_BYTES, where it is set",
    when: { ok: "it is kept", degraded: "what must stay takes more" },
    overall: "degraded",
  },
  intelligence: {
    what: "one for each list of indicators",
    when: {
      ok: "most of its lines can be used",
      degraded: "it cannot be read, or more of its lines are bad than good",
    },
    overall: "degraded",
  },
  geoip: {
    what: "a database of places or networks that has a fault; there is none for the others",
    when: { degraded: "it cannot be read" },
    overall: "degraded",
  },
  connector: {
    what: "one for each connector instance, `connector:<instance>`",
    when: {
      ok: "its state is `ok` or `unknown`, as right after the start",
      stale: "its state is `stale` (never a webhook's)",
      degraded: "its state is `degraded` (never a webhook's)",
      unavailable:
        "its state is `error`, or it is switched off (`disabled`, `unlicensed`: not counted), or the store is unavailable",
    },
    overall: "degraded",
  },
  license: {
    what: "the licence",
    when: {
      ok: "it is valid, or licensing is `off`",
      degraded: "it has expired and the days of grace run",
      unavailable: "it has expired or cannot be used",
    },
    overall: "ok",
  },
  telemetry: {
    what: "the daily heartbeat",
    when: {
      ok: "the last one arrived, or none was due",
      degraded:
        "the registration server does not take it, a guard of its own refused it, or install-id is not sound",
      unavailable: "it is switched off (`disabled`)",
    },
    overall: "ok",
  },
  update: {
    what: "the look for newer releases, right after each heartbeat; nothing is ever applied",
    when: {
      ok: "the last one succeeded, or none was due",
      degraded: "it failed",
      unavailable: "it is switched off (`disabled`)",
    },
    overall: "ok",
  },
};

/** How the patience with a silent sensor is learned, in Markdown. */
export const PATIENCE_TEXT =
  `A sensor is \`stale\` from the first moment at which it has been silent for longer than is usual then: for longer than each of

- 15 minutes,
- twice its usual pause: the one that only one in twenty of its last 200 pauses exceeds (rounded up to 1, 2, 5, 10, 15, 30 minutes, 1, 2,
  3, 4, 6, 8, 12, 16, 24, 36, 48, 72 or 96 hours),
- 1.25 times its usual silence at that hour of the week (UTC), the hour before or the hour after: the second longest that it reached
  there in the last four weeks; in its second week what it reached in the first, and before that what it reached at that hour on
  most other days,

and in any case after 96 hours. So a sensor that always speaks by day is missed within 15 minutes by day, and where its nights are
always quiet, within two hours after it usually begins; its first quiet night is told as stale. \`expected_within_seconds\`
is what this gives for the present silence. Only time in which records could be received counts: an outage of the appliance neither
makes a sensor stale nor teaches anything, nor does a time in which the sensor was not enabled. All times are the server's own.`;

/** The conditions as a table in Markdown. */
export function conditionsTable(): string {
  const rows = COMPONENT_KINDS.map((kind) => {
    const { what, when, overall } = HEALTH_CONDITIONS[kind];
    const cells = (["ok", "stale", "degraded", "unavailable"] as const).map((status) => when[status] ?? "-");
    return `| \`${kind}\`: ${what} | ${cells.join(" | ")} | ${
      overall === "ok" ? "never changed" : `\`${overall}\``
    } |`;
  });
  return [
    "| Component | `ok` | `stale` | `degraded` | `unavailable` | overall at worst |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** What a client should know of the report, in Markdown. */
export const HEALTH_TEXT =
  `The statuses, from best to worst, are \`ok\`, \`stale\`, \`degraded\` and \`unavailable\`; the overall status is the worst that a
component can make of it. The answer is 503 while it is \`unavailable\`, and carries the report as well; while the database does not
answer, who was signed in within the last five minutes may still read it. Messages, which name hosts, files and why something
fails, are for administrators; everybody else gets the same report with \`message\` null, unless it is \`disabled\`, \`off\` or
\`unlicensed\`.

${conditionsTable()}

${PATIENCE_TEXT}`;
