import type { WebhookEnvelope } from "../../connector/webhook.ts";
import * as ids from "./ids.ts";
import { EventIncident } from "../../incident/incident.ts";
import { INCIDENT } from "./incidents.ts";

export const WEBHOOK_ENVELOPE: WebhookEnvelope = {
  schema: "service.webhook.v1",
  id: "evt_4f1f6a0c9b6e4f0f8a53c1d2e3f40516",
  type: "incident.escalated",
  occurred_at: "2026-01-31T07:12:02.118Z",
  tenant: "main",
  severity: "medium",
  appliance: { version: "0.1.0", instance: "soc" },
  incident: {
    ...EventIncident.parse(INCIDENT),
    previous_score: 43,
    device_names: { [ids.DEVICE_ID]: "front desk" },
  },
  links: {
    dashboard: "https://ndr.example/",
    incident: `https://ndr.example/t/main/incidents/${ids.INCIDENT_ID}`,
  },
};
