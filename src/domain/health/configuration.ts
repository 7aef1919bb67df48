import { formatMillis } from "../../kit/time.ts";
import { plural } from "../../kit/text.ts";
import type { Verdict } from "./room.ts";

/** How far the running core follows its configuration files. */
export interface ConfigurationFacts {
  /** The newest reload, if it was rejected; null if it applied, or after a start. */
  rejected: RejectedReload | null;
  /** Tenants in the configuration that the core serves from its next start. */
  newTenants: number;
}

interface RejectedReload {
  /** Microseconds. */
  at: number;
  /** Where its faults are, `file:line:column`; empty if it failed for another reason. */
  places: readonly string[];
}

const NAMED_PLACES = 5;

/**
 * Names places only: the text of a fault may name another tenant, and this one's administrators read the message.
 */
export function configurationVerdict({ rejected, newTenants }: ConfigurationFacts): Verdict {
  if (rejected !== null) {
    const message =
      `the reload at ${formatMillis(rejected.at)} was rejected, and the former configuration is in use: ` +
      `${placesText(rejected.places)}; run ndr config check, correct the files and reload ndr-core`;
    return { status: "degraded", message };
  }
  if (newTenants === 0) return { status: "ok", message: null };
  return {
    status: "degraded",
    message:
      `${plural(newTenants, "tenant")} added by a reload ${
        newTenants === 1 ? "is" : "are"
      } not served yet: ` +
      "restart ndr-core",
  };
}

/** Faults of a rejected reload, by place; the log has their texts. */
export function placesText(places: readonly string[]): string {
  if (places.length === 0) return "the log of the service has the reason";
  const named = places.slice(0, NAMED_PLACES);
  const more = places.length > named.length ? [`and ${places.length - named.length} more`] : [];
  return `${places.length === 1 ? "fault" : "faults"} at ${[...named, ...more].join(", ")}`;
}
