// What `ndr core --help` and `ndr web --help` say of the configuration.

const COMMON = `
  NDR_CONFIG_DIR         folder of the files below (/etc/ndr)
  NDR_SERVICE_KEY_FILE   file with at least 32 bytes, the same for core and web; required
  NDR_CORE_LISTEN        where the core listens, loopback only (127.0.0.1:8081)
  NDR_LOG_LEVEL          debug, info, warn or error (info)`;

const FAULTS =
  `A wrong configuration stops the start; every fault is listed with its file, line and what is expected.`;

export const CORE_HELP = `
Environment (defaults in parentheses):${COMMON}
  NDR_STATE_DIR          what the core keeps beside the database (/var/lib/ndr)
  NDR_DATABASE_URL       postgres://… (version 15 or later) or embedded:<folder>; required.
                         NDR_DATABASE_URL_FILE names a file that holds it
  NDR_RETENTION_DAYS     records are kept so long, 1 to 3650 (30)
  NDR_RETENTION_BYTES    and no more than this is kept, such as 500G (no limit)
  NDR_IDENTITY_JOB       on: devices that are one machine are merged; off takes that back (off)
  NDR_INGEST_RATE        records a second that each source may send on and on (50000)
  NDR_INGEST_BURST       and at once (200000)

Files in NDR_CONFIG_DIR:
  sources.yaml           the sensors: token, tenant, allowed kinds, trust; required
  sites.yaml             internal networks and VLANs of each tenant
  inventory.yaml         known devices
  intel/                 lists of indicators, read again when they change
  geoip/                 *.mmdb databases, read again when they change

${FAULTS}
SIGHUP reads sources.yaml and inventory.yaml again; where something has a fault, nothing changes.`;

export const WEB_HELP = `
Environment (defaults in parentheses):${COMMON}
  NDR_WEB_LISTEN         where the dashboard listens, loopback only (127.0.0.1:8080)
  NDR_PUBLIC_URL         the dashboard's address for browsers, such as https://ndr.example; required
  NDR_OIDC_ISSUER, NDR_OIDC_CLIENT_ID, NDR_OIDC_CLIENT_SECRET
                         the sign-in's provider; required. NDR_OIDC_CLIENT_SECRET_FILE names a file
                         that holds the secret

Files in NDR_CONFIG_DIR:
  access.yaml            which OIDC claims give which roles in which tenant; required
  sites.yaml             the tenants' names

${FAULTS}`;
