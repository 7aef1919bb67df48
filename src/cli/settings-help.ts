// What `ndr core --help` and `ndr web --help` say of the configuration.

const COMMON = `
  NDR_CONFIG_DIR         folder of the files below (/etc/ndr)
  NDR_SERVICE_KEY_FILE   file with at least 32 bytes, the same for core and web; required
  NDR_CORE_LISTEN        where the core listens, loopback only (127.0.0.1:8081)
  NDR_LOG_LEVEL          debug, info, warn or error (info)
  OTEL_DENO              true: OpenTelemetry spans go to OTEL_EXPORTER_OTLP_ENDPOINT
                         (http://localhost:4318); set OTEL_DENO_CONSOLE=ignore, too (off)`;

const FAULTS =
  `A wrong configuration stops the start; every fault is listed with its file, line and what is expected.`;

export const CORE_HELP = `
Environment (defaults in parentheses):${COMMON}
  NDR_STATE_DIR          what the core keeps beside the database (/var/lib/ndr)
  NDR_DATABASE_URL       postgres://… (version 15 or later) or embedded:<folder>; required.
                         NDR_DATABASE_URL_FILE names a file that holds it
  NDR_RETENTION_DAYS     records are kept so long, 1 to 3650 (30)
  NDR_RETENTION_BYTES    and no more than this is kept, such as 500G (no limit)
  NDR_AUDIT_DAYS         audit rows are kept so long, 90 to 3650 (400)
  NDR_IDENTITY_JOB       on: devices that are one machine are merged; off takes that back (off)
  NDR_CONNECTORS_ENABLED true: the connectors of connectors.yaml work; else they send nothing and
                         their bookmarks stay (false)
  NDR_PUBLIC_URL         the dashboard's origin (https), for links in events; public_url of an instance wins
  NDR_TELEMETRY          off: no registration, no daily heartbeat, no look for newer releases (on)
  NDR_TELEMETRY_URL      origin of the registration server (https); not set: there is none
  NDR_INGEST_RATE        records a second that each source may send on and on (50000)
  NDR_INGEST_BURST       and at once (200000)

Files in NDR_CONFIG_DIR:
  sources.yaml           the sensors: token, tenant, allowed kinds, trust; required
  sites.yaml             internal networks and VLANs of each tenant
  inventory.yaml         known devices
  response.yaml          gates of automatic mode, and executors: id and token_env of each. They report at
                         POST /internal/v1/response-actions/{action_id}/outcomes with their token as
                         Authorization: Bearer, an Idempotency-Key, and {status, detail, lease_expires_at,
                         identity} as JSON; status is executed, failed, reconciling, rolled_back or expired
  connectors.yaml        webhooks: receiver, tenant, subscription, key file of each; ndr connectors --help
  license.jwt            the licence of the pro plan; ndr license show --help
  intel/                 lists of indicators, read again when they change
  geoip/                 *.mmdb databases, read again when they change

${FAULTS}
SIGHUP reads sources.yaml, inventory.yaml, connectors.yaml with its keys, and the executors again; where something has
a fault, nothing changes. It also reads license.jwt, whose faults change what Pro modules may do.`;

export const WEB_HELP = `
Environment (defaults in parentheses):${COMMON}
  NDR_WEB_LISTEN         where the dashboard listens, loopback only (127.0.0.1:8080)
  NDR_PUBLIC_URL         the dashboard's address for browsers, such as https://ndr.example; required
  NDR_OIDC_ISSUER, NDR_OIDC_CLIENT_ID, NDR_OIDC_CLIENT_SECRET
                         the sign-in's provider; required. NDR_OIDC_CLIENT_SECRET_FILE names a file
                         that holds the secret
  NDR_METRICS_TOKEN      at least 16 characters: whoever sends it as Authorization: Bearer reads the
                         metrics at /metrics, in Prometheus' text format; without it there are none.
                         NDR_METRICS_TOKEN_FILE names a file that holds it. A change needs a restart
  NDR_SESSION_RATE       requests a second that each session may send on and on (100)
  NDR_ADDRESS_RATE       and each client address, IPv6 by its /64 (300)
  NDR_SIGN_IN_RATE       and each address to the sign-in (20); each 20 times as many at once

Where NDR_PUBLIC_URL is https, a client's address is the last entry of X-Forwarded-For: let the proxy
set or append it. Where it is http, the header is ignored.

Files in NDR_CONFIG_DIR:
  access.yaml            which OIDC claims give which roles in which tenant; required
  sites.yaml             the tenants' names

${FAULTS}
SIGHUP reads access.yaml and sites.yaml again, which holds from the next request on, for people who are
signed in, too; where something has a fault, nothing changes.`;
