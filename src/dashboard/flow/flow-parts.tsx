import type { Flow, FlowName } from "../../contract/flow/flow.ts";
import { ABSENT, formatBytes, formatCount, formatExact } from "../ui/format.ts";
import { Place } from "../intel/intel.tsx";
import { DeviceLink, Foreign, useDeviceName } from "../ui/names.tsx";

/** Address and port, with the device's name where one of ours is behind it. */
export function Endpoint({ end }: { end: Flow["src"] }) {
  const nameOf = useDeviceName();
  const name = end.device_id === null ? null : nameOf(end.device_id, end.ip);
  return (
    <span className="endpoint">
      {end.device_id !== null && name !== null && name !== end.ip && (
        <DeviceLink id={end.device_id} name={name} />
      )}
      <span className="mono nowrap endpoint-ip">
        {end.device_id !== null && name === end.ip
          ? <DeviceLink id={end.device_id} name={end.ip} />
          : <Foreign text={end.ip} />}
        {end.port !== 0 && <span className="muted">{end.ip.includes(":") ? " " : ":"}{end.port}</span>}
      </span>
    </span>
  );
}

const SAID_BY = {
  tls: "asked for by this name in TLS",
  http: "asked for by this name in HTTP",
  dns: "DNS had led the client from this name to the address",
};

/** By which name, and how far it is to be believed: what other clients were told is less than what its own was. */
export function nameReason({ via, same_client }: FlowName): string {
  return same_client ? SAID_BY[via] : "DNS had led other clients from this name to the address";
}

/** The name the server goes by; what only DNS led to is written weaker. */
function ServerName({ flow, end }: { flow: Flow; end: "src" | "dst" }) {
  const best = flow.names.find((name) => name.of === end);
  if (best === undefined) return null;
  const others = flow.names.filter((name) => name.of === end && name !== best).map(({ name }) => name);
  const title = [nameReason(best), ...others.length === 0 ? [] : [`also ${others.join(", ")}`]].join("; ");
  return (
    <span className={best.via === "dns" ? "server-name muted" : "server-name"} title={title}>
      {best.via === "dns" && <span className="hidden">by DNS:</span>}
      <Foreign text={best.name} />
    </span>
  );
}

/** What is known of one end beyond its address: the name it goes by, and where it is. */
export function EndNotes({ flow, end }: { flow: Flow; end: "src" | "dst" }) {
  return (
    <span className="end-notes">
      <ServerName flow={flow} end={end} />
      <Place end={flow[end]} />
    </span>
  );
}

type Counter = number | bigint | null;

/** A counter, short, with every digit in the title; what no sensor measured is said to be unmeasured. */
export function Bytes({ value }: { value: Counter }) {
  if (value === null) return <span className="muted" title="Not measured">{ABSENT}</span>;
  return <span title={`${formatExact(value)} bytes`}>{formatBytes(value)}</span>;
}

export function Packets({ value }: { value: Counter }) {
  if (value === null) return <span className="muted" title="Not measured">{ABSENT}</span>;
  return <span title={`${formatExact(value)} packets`}>{formatCount(value)}</span>;
}

export function SourceChips({ sources }: { sources: string[] }) {
  return <span className="chips">{sources.map((one) => <span key={one} className="chip">{one}</span>)}</span>;
}
