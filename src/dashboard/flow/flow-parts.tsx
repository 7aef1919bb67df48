import type { Flow, FlowName } from "../../contract/flow/flow.ts";
import { ABSENT, formatBytes, formatCount, formatExact } from "../ui/format.ts";
import { Place } from "../intel/intel.tsx";
import { DeviceLink, Foreign, useDeviceName } from "../ui/names.tsx";

/** Address and port, with the device's name for internal ends. */
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

const NAME_SOURCES = {
  tls: "requested by this name in TLS",
  http: "requested by this name in HTTP",
  dns: "DNS resolved this name to the address for the client",
};

/** The source of a name and its reliability: DNS answers to other clients weigh less. */
export function nameReason({ via, same_client }: FlowName): string {
  return same_client ? NAME_SOURCES[via] : "DNS resolved this name to the address for other clients";
}

/** The server's name; names that only DNS suggests are dimmed. */
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

/** What is known of an end beyond its address: its name and location. */
export function EndNotes({ flow, end }: { flow: Flow; end: "src" | "dst" }) {
  return (
    <span className="end-notes">
      <ServerName flow={flow} end={end} />
      <Place end={flow[end]} />
    </span>
  );
}

type Counter = number | bigint | null;

/** A counter, abbreviated, with all digits in the title; a missing counter is shown as unmeasured. */
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
