// The conditions of each health status by component kind. The report uses these limits; the OpenAPI document
// and the documentation contain this table.

import type { HealthStatus } from "../record/kinds.ts";

/** Component kinds, in report order. */
export const COMPONENT_KINDS = [
  "appliance",
  "store",
  "sensor",
  "pipeline",
  "networks",
  "disk",
  "retention",
  "clock",
  "configuration",
  "intelligence",
  "geoip",
  "web",
  "connector",
  "license",
  "telemetry",
  "update",
] as const;
export type ComponentKind = (typeof COMPONENT_KINDS)[number];

/** Minimum silence before a sensor is `stale`. */
export const LEAST_PATIENCE_SECONDS = 900;
/** Silence after which a sensor is `stale` regardless of its learned rhythm. */
export const MOST_PATIENCE_SECONDS = 96 * 3600;
/** Capture loss above which a sensor is `degraded`, in percent. */
export const CAPTURE_LOSS_PERCENT = 5;
/** Validity of a capture loss report: three times Zeek's reporting interval of 15 minutes. */
export const CAPTURE_CURRENT_SECONDS = 2700;
/** Source time over which results that joined a campaign incident are counted. */
export const JOINED_HOURS = 24;
/** Age of a waiting record above which the pipeline is `degraded`. */
export const PIPELINE_DEGRADED_SECONDS = 60;
/** Age of a waiting record above which the pipeline is `unavailable`. */
export const PIPELINE_UNAVAILABLE_SECONDS = 3600;
/**
 * Difference of the clocks of the core and of the database, and jump of a clock while the service runs, above
 * which deletions by age stop. As much as a webhook receiver tolerates.
 */
export const CLOCK_TOLERANCE_SECONDS = 300;

/** How long a refused connection counts. */
export const CONNECTION_SHORTAGE_SECONDS = 300;

/** Silence after which the web layer is `unavailable`: it reports every minute. */
export const WEB_SILENCE_SECONDS = 180;

interface Condition {
  /** Description of the component. */
  what: string;
  /** Condition of each status; a missing status does not occur. */
  when: Partial<Record<HealthStatus, string>>;
  /** The worst overall status that the component can cause. */
  overall: HealthStatus;
}

export const HEALTH_CONDITIONS: Readonly<Record<ComponentKind, Condition>> = {
  appliance: {
    what: "the service as a whole",
    when: {
      ok: "every component that counts is `ok`",
      stale: "a sensor is silent",
      degraded: "a component does not work properly",
      unavailable: "records cannot be received or processed: store, disk or pipeline",
    },
    overall: "unavailable",
  },
  store: {
    what: "the database",
    when: {
      ok: "it responds and commits",
      degraded: `it refused a connection in the last ${
        CONNECTION_SHORTAGE_SECONDS / 60
      } minutes, because the server, the database or the user has no more`,
      unavailable:
        "it does not respond, or it cannot commit (read-only after a failover, missing rights, no space); components that depend on it are then unavailable too",
    },
    overall: "unavailable",
  },
  sensor: {
    what:
      "one per sensor of the registry, based on the storage of new records from it; the lag of one that never sent a record " +
      "counts since it was configured",
    when: {
      ok: "records arrived within its usual time",
      stale: `no record ever arrived, or none for longer than usual: at least ${
        LEAST_PATIENCE_SECONDS / 60
      } minutes, at most ${MOST_PATIENCE_SECONDS / 3600} hours, learned as described below`,
      degraded:
        `it misses more than ${CAPTURE_LOSS_PERCENT} % of the traffic, by its own report of the last ${
          CAPTURE_CURRENT_SECONDS / 60
        } minutes`,
      unavailable: "the store is unavailable, so no records can be received",
    },
    overall: "degraded",
  },
  pipeline: {
    what:
      "the processing of records into flows, devices and incidents; its lag is the age of the oldest waiting record, " +
      `and its message counts the results of the last ${JOINED_HOURS} hours that joined a campaign incident`,
    when: {
      ok: `no record waits for more than ${PIPELINE_DEGRADED_SECONDS} s`,
      degraded: `a record waits for more than ${PIPELINE_DEGRADED_SECONDS} s`,
      unavailable: `a record waits for more than ${
        PIPELINE_UNAVAILABLE_SECONDS / 60
      } minutes, or the store is unavailable`,
    },
    overall: "unavailable",
  },
  networks: {
    what:
      "networks that look like the site's own although `sites.yaml` does not list them, so that their hosts are no devices; " +
      "there is no component without one",
    when: { degraded: "the message names them, as lines to add to `networks` of the site in `sites.yaml`" },
    overall: "ok",
  },
  disk: {
    what: "free space on the database's disk",
    when: {
      ok: "there is enough space, or the database is on another machine and reports no shortage",
      degraded: "less than 5 % is free (at least 2 GiB, at most 50 GiB)",
      unavailable:
        "less than 1 % is free (at least 256 MiB, at most 10 GiB), or the database has run out of space: ingest is stopped",
    },
    overall: "unavailable",
  },
  retention: {
    what: "the limit NDR_RETENTION_BYTES, if set",
    when: { ok: "the stored data is within the limit", degraded: "data that must be kept exceeds the limit" },
    overall: "degraded",
  },
  clock: {
    what: "the clocks of the core and of the database, by which the age of stored data is judged",
    when: {
      ok: "the clocks agree with each other and with the running time",
      degraded: `they differ by more than ${CLOCK_TOLERANCE_SECONDS / 60} minutes, jumped ahead by as much ` +
        `while the service ran, or are more than a day ahead of the latest time known to have come: retention and ` +
        `the removal of old audit rows are stopped`,
    },
    overall: "degraded",
  },
  configuration: {
    what: "the configuration files, as of the newest reload (SIGHUP)",
    when: {
      ok: "the newest reload applied, or there was none since the start",
      degraded:
        "the newest reload was rejected, and the former configuration is in use; or it added a tenant, which is served " +
        "from the next start",
    },
    overall: "degraded",
  },
  intelligence: {
    what: "one per list of indicators",
    when: {
      ok: "most of its lines are usable",
      degraded: "it cannot be read, or more of its lines are invalid than valid",
    },
    overall: "degraded",
  },
  geoip: {
    what: "a faulty GeoIP database; there is no component for working ones",
    when: { degraded: "it cannot be read" },
    overall: "degraded",
  },
  web: {
    what:
      "the web layer, `ndr web`, and with it the sign-in; there is no component before its first report to this core",
    when: {
      ok: "it reports every minute, and the identity provider answers it",
      degraded:
        "the identity provider does not answer: sessions stay valid, and sign-in fails; or the newest reload was rejected, " +
        "and the former access rules are in use",
      unavailable: `it has not reported for ${
        WEB_SILENCE_SECONDS / 60
      } minutes, because it stopped or fails to start`,
    },
    overall: "degraded",
  },
  connector: {
    what: "one per connector instance, `connector:<instance>`",
    when: {
      ok: "its state is `ok`, or `unknown` as after startup",
      stale: "its state is `stale` (never for webhooks)",
      degraded: "its state is `degraded` (never for webhooks)",
      unavailable:
        "its state is `error`, or it is off (`disabled`, `unlicensed`: not counted), or the store is unavailable",
    },
    overall: "degraded",
  },
  license: {
    what: "the licence",
    when: {
      ok: "it is valid, or licensing is `off`",
      degraded: "it has expired and the grace period is running",
      unavailable: "it has expired or is unusable",
    },
    overall: "ok",
  },
  telemetry: {
    what: "the daily heartbeat",
    when: {
      ok: "the last one was delivered, or none was due",
      degraded: "the registration server or the local guard rejected it, or install-id is invalid",
      unavailable: "it is disabled (`disabled`)",
    },
    overall: "ok",
  },
  update: {
    what: "the check for newer releases after each heartbeat; nothing is ever installed",
    when: {
      ok: "the last check succeeded, or none was due",
      degraded: "the last check failed",
      unavailable: "it is disabled (`disabled`)",
    },
    overall: "ok",
  },
};

/** How the tolerance for a silent sensor is learned, in Markdown. */
export const PATIENCE_TEXT = `A sensor is \`stale\` once it has been silent for longer than each of

- 15 minutes,
- twice its usual pause, which is the 95th percentile of its last 200 pauses (rounded up to 1, 2, 5, 10, 15, 30 minutes, 1, 2,
  3, 4, 6, 8, 12, 16, 24, 36, 48, 72 or 96 hours),
- 1.25 times its usual silence at that hour of the week (UTC) or the hour before or after: the second longest silence reached
  there in the last four weeks; in its second week the one reached in the first; before that, the one reached at that hour
  on most other days,

and in any case after 96 hours. A sensor that always sends by day is thus reported within 15 minutes by day and, if its nights
are always quiet, within two hours of its usual start; its first quiet night is reported as stale. \`expected_within_seconds\`
is the resulting limit for the current silence. Only time in which records could be received counts: an outage of the
appliance, or time in which the sensor was disabled, neither makes a sensor stale nor affects learning. All times are the
server's own.`;

/** The conditions as a table in Markdown. */
export function conditionsTable(): string {
  const rows = COMPONENT_KINDS.map((kind) => {
    const { what, when, overall } = HEALTH_CONDITIONS[kind];
    const cells = (["ok", "stale", "degraded", "unavailable"] as const).map((status) => when[status] ?? "-");
    return `| \`${kind}\`: ${what} | ${cells.join(" | ")} | ${
      overall === "ok" ? "not affected" : `\`${overall}\``
    } |`;
  });
  return [
    "| Component | `ok` | `stale` | `degraded` | `unavailable` | worst overall status |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Description of the health report for clients, in Markdown. */
export const HEALTH_TEXT =
  `The statuses, from best to worst, are \`ok\`, \`stale\`, \`degraded\` and \`unavailable\`; the overall status is the worst that any
component causes. The response is 503 with the report while it is \`unavailable\`. While the database does not respond, users
who were signed in within the last five minutes can still read the report. Messages, which contain hosts, files and failure
reasons, are for administrators; others receive the same report with \`message\` null, unless it is \`disabled\`, \`off\` or
\`unlicensed\`.

${conditionsTable()}

${PATIENCE_TEXT}`;
