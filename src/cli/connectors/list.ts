import type { ConnectorStateName, FailureClass } from "../../contract/connector/connector.ts";
import { formatMillis } from "../../kit/time.ts";
import type { ConnectorState } from "../../store/connector/connectors.ts";
import { textTable } from "../table.ts";

/** Settings of an instance in `connectors.yaml`. */
interface ListedInstance {
  tenantId: string;
  instance: string;
  connector: string;
  enabled: boolean;
}

/** One line of `ndr connectors list --json`. Times are RFC 3339. */
interface ListedConnector {
  tenant_id: string;
  instance: string;
  connector: string;
  /** Null if `connectors.yaml` no longer has it and the service still serves it. */
  enabled: boolean | null;
  /** Null if unknown: the service has not started with the instance, or has its embedded database open. */
  recorded: null | {
    state: ConnectorStateName;
    failure_class: FailureClass | null;
    message: string | null;
    since: string;
    /** Number of the last settled event of the tenant's log; null before it was first enabled. */
    bookmark: number | null;
    last_success_at: string | null;
    consecutive_failures: number;
    items_last_hour: number;
    /** Until when a held event waits. */
    blocked_until: string | null;
    delivered: number;
    failed: number;
    rejected: number;
    dropped: number;
    pending: number;
  };
}

/** Configured instances with what the service recorded, and those that it still serves; `null`: unknown. */
export function listed(
  configured: readonly ListedInstance[],
  recorded: ReadonlyMap<string, readonly ConnectorState[]> | null,
): ListedConnector[] {
  const known = [...recorded ?? []].flatMap(([tenantId, states]) =>
    states.map((state) => ({ tenantId, state }))
  );
  const named = configured.map(({ tenantId, instance, connector, enabled }): ListedConnector => {
    const found = known.find((one) => one.tenantId === tenantId && one.state.instance === instance);
    return {
      tenant_id: tenantId,
      instance,
      connector,
      enabled,
      recorded: found ? recordedOf(found.state) : null,
    };
  });
  const others = known
    .filter(({ tenantId, state }) =>
      !configured.some((one) => one.tenantId === tenantId && one.instance === state.instance)
    )
    .map(({ tenantId, state }): ListedConnector => ({
      tenant_id: tenantId,
      instance: state.instance,
      connector: state.connector,
      enabled: null,
      recorded: recordedOf(state),
    }));
  return [...named, ...others];
}

function recordedOf(state: ConnectorState): ListedConnector["recorded"] {
  const time = (micros: number | null) => micros === null ? null : formatMillis(micros);
  return {
    state: state.state,
    failure_class: state.failureClass,
    message: state.message,
    since: formatMillis(state.since),
    bookmark: state.bookmark,
    last_success_at: time(state.lastSuccessAt),
    consecutive_failures: state.consecutiveFailures,
    items_last_hour: state.itemsLastHour,
    blocked_until: time(state.blockedUntil),
    delivered: state.delivered,
    failed: state.failed,
    rejected: state.rejected,
    dropped: state.dropped,
    pending: state.pending,
  };
}

const HEADERS = [
  "TENANT",
  "INSTANCE",
  "CONNECTOR",
  "ENABLED",
  "STATE",
  "BOOKMARK",
  "PENDING",
  "LAST SUCCESS (UTC)",
  "MESSAGE",
];

/** Lines for people; `-` is unknown or never. */
export function connectorTable(connectors: readonly ListedConnector[], columns: number | null): string[] {
  return textTable([HEADERS, ...connectors.map(cellsOf)], columns);
}

function cellsOf({ tenant_id, instance, connector, enabled, recorded }: ListedConnector): string[] {
  const state = [recorded?.state ?? "-", recorded?.failure_class ?? ""].join(" ").trim();
  return [
    tenant_id,
    instance,
    connector,
    enabled === null ? "removed" : enabled ? "yes" : "no",
    state,
    String(recorded?.bookmark ?? "-"),
    String(recorded?.pending ?? "-"),
    recorded?.last_success_at?.replace("T", " ").replace("Z", "") ?? "-",
    recorded?.message ?? "",
  ];
}
