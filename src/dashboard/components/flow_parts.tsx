import type { Flow } from "../../contract/flow.ts";
import { ABSENT, formatBytes, formatCount, formatExact } from "../format.ts";
import { DeviceLink, Foreign, useDeviceName } from "./names.tsx";

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
