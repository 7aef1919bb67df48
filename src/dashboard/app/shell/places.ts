import type { Role } from "../../../contract/record/kinds.ts";
import { type Target, to } from "../../base/links.ts";
import { useSignedIn } from "../../base/session.ts";
import type { IconName } from "../../ui/icons.tsx";

/** The groups of the sidebar in their order; the first one has no heading. */
export const SECTIONS = [undefined, "Entities", "Workflow", "System"] as const;

/** A page of the sidebar. */
export interface Place {
  name: string;
  icon: IconName;
  target: () => Target;
  /** The letter after `g`. */
  key?: string;
  /** The heading that it stands under. */
  section?: (typeof SECTIONS)[number];
  /** Only people with this role see it. */
  role?: Role;
  /** The number of the summary beside it, and what it counts. */
  count?: {
    of: "open_incidents" | "pending_decisions" | "pending_proposals";
    what: string;
    urgent?: boolean;
  };
}

/** The pages in the order of the sidebar. A page is added here together with its route. */
export const PLACES: readonly Place[] = [
  { name: "Overview", icon: "overview", target: to.overview, key: "o" },
  { name: "Brief", icon: "brief", target: () => to.brief(), key: "b" },
  {
    name: "Triage",
    icon: "incidents",
    target: () => to.triage(),
    key: "t",
    count: { of: "open_incidents", what: "open incidents" },
  },
  { name: "Explore", icon: "flows", target: () => to.explore(), key: "e" },
  { name: "Map", icon: "map", target: () => to.map(), key: "m" },
  { name: "Devices", icon: "devices", target: () => to.devices(), key: "d", section: "Entities" },
  {
    name: "Review",
    icon: "decision",
    target: () => to.review(),
    key: "r",
    section: "Workflow",
    count: { of: "pending_decisions", what: "pending decisions", urgent: true },
  },
  { name: "Suppressions", icon: "suppress", target: () => to.suppressions(), key: "u", section: "Workflow" },
  {
    name: "Proposals",
    icon: "edit",
    target: () => to.proposals(),
    key: "p",
    section: "Workflow",
    count: { of: "pending_proposals", what: "pending proposals" },
  },
  { name: "Feedback", icon: "feedback", target: () => to.feedback(), section: "Workflow" },
  { name: "Health", icon: "health", target: () => to.health(), key: "s", section: "System" },
  { name: "Failed records", icon: "warning", target: () => to.records(), section: "System", role: "admin" },
  { name: "Audit", icon: "audit", target: () => to.audit(), section: "System", role: "admin" },
  { name: "Telemetry", icon: "heartbeat", target: () => to.telemetry(), section: "System" },
  { name: "Settings", icon: "settings", target: () => to.settings(), section: "System" },
  { name: "Help", icon: "help", target: () => to.help(), key: "h", section: "System" },
];

/** The pages that the person's roles may see. */
export function usePlaces(): readonly Place[] {
  const { roles } = useSignedIn();
  return PLACES.filter(({ role }) => role === undefined || roles.includes(role));
}
