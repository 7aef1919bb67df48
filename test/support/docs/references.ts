// Reference documentation of health, heartbeat, licence, webhooks, records and API, rendered from the code.

import { EVENT_CONDITIONS } from "./event-conditions.ts";
import { FAILURE_ADVICE, FAILURE_CLASSES } from "../../../src/contract/connector/connector.ts";
import { WEBHOOK_EVENT_TYPES } from "../../../src/contract/connector/webhook.ts";
import {
  COMPONENT_KINDS,
  HEALTH_CONDITIONS,
  PATIENCE_TEXT,
} from "../../../src/contract/health/conditions.ts";
import {
  fieldReference,
  GRAMMAR,
  limitReference,
  typeReference,
} from "../../../src/contract/filter/reference.ts";
import { LICENSE_STATES } from "../../../src/contract/health/metrics.ts";
import { HEALTH_STATUSES, RECORD_KINDS } from "../../../src/contract/record/kinds.ts";
import { REASONS } from "../../../src/contract/request/reasons.ts";
import { type Route, ROUTES } from "../../../src/contract/routes.ts";
import { HEARTBEAT_FIELDS, type HeartbeatField } from "../../../src/contract/telemetry/heartbeat.ts";
import { NO_SERVICES, serviceParts } from "../../../src/domain/health/services.ts";
import { normaliserFor } from "../../../src/domain/record/registry.ts";
import { LICENSE_RULES } from "../../../src/domain/telemetry/license/state.ts";
import { CONFIG_FILES, OTEL_TEXT, VARIABLES } from "../../../src/config/reference.ts";
import { DETECTOR_REFERENCE } from "./detector-reference.ts";
import { DEVELOP_BLOCKS } from "./develop-reference.ts";
import { bullets, GENERATED_NOTE, type GeneratedBlock, type GeneratedPage, section } from "./markdown.ts";

const HEALTH: GeneratedBlock = {
  path: "src/docs/health.md",
  name: "health-conditions",
  render: () =>
    [
      ...COMPONENT_KINDS.map((kind) => {
        const { what, when, overall } = HEALTH_CONDITIONS[kind];
        const effect = overall === "ok" ? "never changes the overall status" : `\`${overall}\` at worst`;
        return section(
          3,
          `\`${kind}\``,
          `${capital(what)}.`,
          bullets([
            ...HEALTH_STATUSES.map((status) => [`\`${status}\``, when[status]] as const),
            ["Effect on the overall status", effect],
          ]),
        );
      }),
      section(2, "When a sensor is stale", PATIENCE_TEXT),
    ].join("\n\n"),
};

const HEARTBEAT: GeneratedBlock = {
  path: "src/docs/telemetry.md",
  name: "heartbeat-fields",
  render: () =>
    (Object.keys(HEARTBEAT_FIELDS) as HeartbeatField[]).map((field) => {
      const { meaning, rule } = HEARTBEAT_FIELDS[field];
      return section(3, `\`${field}\``, bullets([["Content", meaning], ["Allowed values", rule]]));
    }).join("\n\n"),
};

const MODULES = { none: "none", read_write: "read and write", read_only: "read only" } as const;

const LICENSE: GeneratedBlock = {
  path: "src/docs/license.md",
  name: "license-states",
  render: () =>
    LICENSE_STATES.map((state) => {
      const { when, plan, proModules } = LICENSE_RULES[state];
      const license = { ...NO_SERVICES.license, state };
      const { status } = serviceParts({ ...NO_SERVICES, license }, 0)[0]!.component;
      return section(
        3,
        `\`${state}\``,
        bullets([["When", when], ["Plan", `\`${plan}\``], ["Pro modules", MODULES[proModules]], [
          "Health",
          `\`${status}\``,
        ]]),
      );
    }).join("\n\n"),
};

const EVENTS: GeneratedBlock = {
  path: "src/docs/webhooks.md",
  name: "webhook-events",
  render: () => bullets(WEBHOOK_EVENT_TYPES.map((type) => [`\`${type}\``, EVENT_CONDITIONS[type]])),
};

const FAILURES: GeneratedBlock = {
  path: "src/docs/webhooks.md",
  name: "webhook-failures",
  render: () => bullets(FAILURE_CLASSES.map((name) => [`\`${name}\``, FAILURE_ADVICE[name]])),
};

const KINDS: GeneratedBlock = {
  path: "src/docs/records.md",
  name: "record-kinds",
  render: () =>
    RECORD_KINDS.map((kind) => {
      const { source, evidenceKind } = normaliserFor(kind);
      const use = evidenceKind === null
        ? "a capture sample of the sensor, shown in health; never evidence"
        : `evidence of kind \`${evidenceKind}\``;
      return `- \`${kind}\` (source \`${source}\`): ${use}`;
    }).join("\n"),
};

const API: GeneratedPage = {
  path: "src/docs/api-reference.md",
  render: () => {
    const routes: readonly Route[] = Object.values(ROUTES);
    const tags = [...new Set(routes.map(({ tag }) => tag))];
    return [
      GENERATED_NOTE,
      "# API routes",
      "Parameters, bodies and answers with examples are in the OpenAPI document, `GET /api/v1/openapi.json`, " +
      "which the dashboard shows at `/api/docs`. [How to call the API](api.md) covers what all routes share.",
      ...tags.map((tag) =>
        section(2, tag, ...routes.filter((route) => route.tag === tag).map((route) => routeSection(route)))
      ),
    ].join("\n\n") + "\n";
  },
};

function routeSection({ method, path, summary, role, write, revisioned, status }: Route): string {
  const headers = [...(write ? ["`Idempotency-Key`"] : []), ...(revisioned ? ["`If-Match`"] : [])];
  return section(
    3,
    `\`${method} ${path}\``,
    `${summary}.`,
    bullets([
      ["Role", `\`${role}\``],
      ["Required headers", headers.length === 0 ? undefined : headers.join(", ")],
      ["Success", String(status)],
    ]),
  );
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const ENVIRONMENT: GeneratedPage = {
  path: "src/docs/environment.md",
  render: () =>
    [
      GENERATED_NOTE,
      "# Environment variables",
      "An empty variable counts as unset. On Debian, variables are set in `/etc/ndr/ndr.env` (mode 0600). A secret may be in the file that " +
      "`NAME_FILE` names. Changes take effect at the next start. [Configuration](configuration.md) shows the files with examples.",
      ...VARIABLES.map(({ name, readBy, text, value, secret }) =>
        section(
          2,
          `\`${name}\``,
          `${capital(text)}.`,
          bullets([
            ["Read by", readBy.map((reader) => `\`ndr ${reader}\``).join(", ")],
            ["Default", value === "required" ? "none; required" : value === null ? "unset" : `\`${value}\``],
            ["Secret", secret ? `may be in the file that \`${name}_FILE\` names` : undefined],
          ]),
        )
      ),
      section(2, "OpenTelemetry", OTEL_TEXT),
      section(
        2,
        "Files in `NDR_CONFIG_DIR`",
        CONFIG_FILES.map(({ name, text, required, applied }) =>
          `- \`${name}\`: ${text}${required ? "; required" : ""}. A change is applied ${
            applied === "on change" ? "within a minute" : `at ${applied}`
          }.`
        ).join("\n"),
      ),
    ].join("\n\n") + "\n",
};

export const PAGES: readonly GeneratedPage[] = [API, DETECTOR_REFERENCE, ENVIRONMENT];
/** The tested receiver. */
const RECEIVER: GeneratedBlock = {
  path: "src/docs/webhooks.md",
  name: "receiver",
  render: () =>
    `\`\`\`ts\n${
      Deno.readTextFileSync(new URL("../connector/webhook-receiver-example.ts", import.meta.url))
    }\`\`\``,
};

const REFUSAL_REASONS: GeneratedBlock = {
  path: "src/docs/api.md",
  name: "refusal-reasons",
  render: () => bullets(Object.entries(REASONS).map(([reason, meaning]) => [`\`${reason}\``, meaning])),
};
const SEARCH: readonly GeneratedBlock[] = [
  { name: "search-grammar", render: () => `\`\`\`text\n${GRAMMAR}\n\`\`\`` },
  { name: "search-types", render: typeReference },
  { name: "search-fields", render: () => fieldReference(3) },
  { name: "search-limits", render: limitReference },
].map((block) => ({ path: "src/docs/search.md", ...block }));

export const BLOCKS: readonly GeneratedBlock[] = [
  ...SEARCH,
  RECEIVER,
  HEALTH,
  HEARTBEAT,
  LICENSE,
  EVENTS,
  FAILURES,
  KINDS,
  REFUSAL_REASONS,
  ...DEVELOP_BLOCKS,
];
