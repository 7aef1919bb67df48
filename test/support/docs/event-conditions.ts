import type { WebhookEventType } from "../../../src/contract/connector/webhook.ts";

/** When each event is written; the documentation shows this text. */
export const EVENT_CONDITIONS: Readonly<Record<WebhookEventType, string>> = {
  "incident.created": "The analysis engine opened an incident.",
  "incident.escalated":
    "The score of an incident rose; several rises in one batch are one event. The body adds `previous_score`.",
  "incident.closed": "A person resolved an incident or marked it as a false positive.",
  "health.transition": "A component, or the appliance as a whole (`appliance`), changed its status.",
  test: "An administrator ran `ndr connectors test <instance> --live`.",
  "response.proposed": "Automatic mode holds an action for a person to decide.",
  "response.executed": "An automatic action took effect on every node.",
  "response.failed": "An automatic action failed, or took effect on some nodes only.",
  "response.released": "An automatic action was rolled back or expired.",
};
