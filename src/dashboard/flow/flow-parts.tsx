import type { Flow, FlowName } from "../../contract/flow/flow.ts";
import { AddressChip, EntityChip } from "../entity/entity-chip.tsx";
import { type RecordOrigin, shownIp } from "../../kit/net/shown-ip.ts";
import { ABSENT } from "../ui/format.ts";
import { useDeviceName } from "../base/devices.ts";
import { visibleText } from "../ui/json-text.ts";

interface EndpointProps {
  end: Flow["src"];
  side: "src" | "dst";
  origin: RecordOrigin;
  intel?: Flow["intel"];
}

/** An end of a flow: the device's name for internal ends, address and port. */
export function Endpoint({ end, side, origin, intel }: EndpointProps) {
  const { ip, port, device_id, geo } = end;
  const nameOf = useDeviceName();
  const name = device_id === null ? null : nameOf(device_id, ip);
  return (
    <span className="endpoint">
      {device_id !== null && name !== null && name !== ip && (
        <EntityChip kind="device" value={device_id} label={name} detail={ip} />
      )}
      <span className={`endpoint-address ${ip.includes(":") ? "" : "endpoint-whole"}`}>
        <AddressChip ip={ip} origin={origin} field={`${side}.ip`} deviceId={device_id} intel={intel} />
        {port !== 0 && (
          <>
            <span className="muted mono">{ip.includes(":") ? "\u00a0" : ":"}</span>
            <EntityChip kind="port" value={port} field={`${side}.port`} />
          </>
        )}
      </span>
      {device_id === null && geo?.country && (
        <EntityChip kind="country" value={geo.country} field={`${side}.country`} className="endpoint-place" />
      )}
    </span>
  );
}

/** The address at an end of a flow, as text. */
export function endText({ primary_evidence, ...ends }: Flow, side: "src" | "dst"): string {
  return shownIp(ends[side].ip, primary_evidence);
}

/** A flow by its addresses. */
export function flowLabel(flow: Flow): string {
  return `flow from ${endText(flow, "src")} to ${endText(flow, "dst")}`;
}

const NAME_SOURCES = {
  tls: "requested by this name in TLS",
  http: "requested by this name in HTTP",
  dns: "DNS resolved this name to the address for the client",
};

/** The source of a name and its reliability: DNS answers to other clients weigh less. */
export function nameReason({ via, same_client }: FlowName): string {
  return same_client ? NAME_SOURCES[via] : "DNS resolved this name to the address for other clients";
}

/** The server's best name; one that only DNS suggests is dimmed. */
export function ServerName({ flow: { names } }: { flow: Flow }) {
  const [best, ...others] = names;
  if (best === undefined) return <span className="muted">{ABSENT}</span>;
  const also = others.length === 0 ? [] : [`also ${others.map(({ name }) => name).join(", ")}`];
  return (
    <span
      className={best.via === "dns" ? "muted" : undefined}
      title={visibleText([nameReason(best), ...also].join("; "))}
    >
      {best.via === "dns" && <span className="hidden">by DNS:</span>}
      <EntityChip kind="domain" value={best.name} field={best.via === "dns" ? undefined : "server_name"} />
    </span>
  );
}

/** Application and transport protocol. */
export function Service({ flow: { service, proto } }: { flow: Pick<Flow, "service" | "proto"> }) {
  return (
    <>
      {service !== null && <EntityChip kind="service" value={service} />}
      <EntityChip kind="value" value={proto} field="proto" className="muted" />
    </>
  );
}

export function SourceChips({ sources }: { sources: string[] }) {
  return <span className="chips">{sources.map((one) => <span key={one} className="chip">{one}</span>)}</span>;
}
