import type { Device, DeviceType } from "../../../contract/device/device.ts";
import { formatLabel, formatShare } from "../../ui/format.ts";

const CIRCLE = "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z";

// Drawn on the grid of the other icons: a client, a server, or the service of a server.
const PATHS: Record<DeviceType, string> = {
  unknown: `${CIRCLE}M6.3 6.3a1.8 1.8 0 1 1 2.4 1.8c-.5.2-.7.5-.7 1M8 11.2v.1`,
  workstation: "M2 3h12v8H2zM5.5 13.5h5M8 11v2.5",
  phone: "M5 1.5h6v13H5zM7.3 12.3h1.4",
  server: "M3 2.5h10V7H3zM3 9h10v4.5H3zM5.3 4.75h.1M5.3 11.25h.1M8 4.75h3M8 11.25h3",
  domain_controller:
    "M3 9.5h10v4H3zM5.3 11.5h.1M8 11.5h3M8 5.3a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 5.3v4.2M8 7.3h2",
  dns_server: "M2 4.5h5M2 8h5M2 11.5h5M9.5 8H14M12 6l2 2-2 2",
  dhcp_server: "M6.5 2h3v3h-3zM1.8 11h3v3h-3zM6.5 11h3v3h-3zM11.2 11h3v3h-3zM8 5v6M3.3 11V8h9.4v3",
  web_server: `${CIRCLE}M2 8h12M8 2c2 1.8 2.7 3.8 2.7 6S10 12.2 8 14C6 12.2 5.3 10.2 5.3 8S6 3.8 8 2z`,
  mail_server: "M2 3.5h12v9H2zM2 4l6 5 6-5",
  file_server: "M2 3.5h4.5l1.5 2h6v7H2z",
  database_server:
    "M3 4c0-1 2.2-1.8 5-1.8s5 .8 5 1.8-2.2 1.8-5 1.8S3 5 3 4zM3 4v8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8V4M3 8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8",
  printer: "M4.5 6V2.2h7V6M4.5 11.5H2.2V6h11.6v5.5h-2.3M4.5 9.5h7v4.3h-7z",
  camera: "M2 5h8.5v6.5H2zM10.5 7.5 14 5.5v5.5l-3.5-2",
  voip_phone:
    "M3.2 2.2 5.6 2l1.1 3-1.5 1.2a8 8 0 0 0 4.6 4.6L11 9.3l3 1.1-.2 2.4c0 .7-.6 1.2-1.3 1.2C7 13.7 2.3 9 2 3.5c0-.7.5-1.2 1.2-1.3z",
  iot:
    "M4.5 4.5h7v7h-7zM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14",
  router: "M2 8.5h12V13H2zM4.5 10.8h.1M7 10.8h.1M11.5 8.5v-5M8.7 4a4 4 0 0 1 5.6 0",
};

export const KNOWN_TYPES = Object.keys(PATHS);

function isKnown(type: string): type is DeviceType {
  return Object.hasOwn(PATHS, type);
}

/** The path of a device type's icon on a 16-pixel grid; a custom type has the generic one. */
export function typePath(type: string): string {
  return PATHS[isKnown(type) ? type : "unknown"];
}

const SPELT: Record<string, string> = { dns: "DNS", dhcp: "DHCP", iot: "IoT", voip: "VoIP" };

/** `dns_server` as `DNS server`; types entered by people or the inventory stay as written. */
export function typeName(type: string): string {
  return isKnown(type)
    ? formatLabel(type).replace(/^\w+/, (word) => SPELT[word.toLowerCase()] ?? word)
    : type;
}

export function DeviceTypeIcon({ type }: { type: string }) {
  return (
    <svg className="icon type-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={typePath(type)} />
    </svg>
  );
}

/** A share as a short bar beside its number. */
export function Meter({ share }: { share: number }) {
  return (
    <svg className="meter" viewBox="0 0 40 4" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track" width="40" height="4" />
      <rect className="bar" width={share * 40} height="4" />
    </svg>
  );
}

type Classified = Pick<Device, "device_type" | "classification_source" | "confidence">;

/** The source of a device's type. */
export function TypeSource({ device }: { device: Classified }) {
  const { classification_source: source, confidence } = device;
  if (source === "human_confirmed") {
    return <span className="chip chip-good" title="Confirmed or corrected by a person">confirmed</span>;
  }
  if (source === "inventory") return <span className="chip" title="From the inventory">inventory</span>;
  if (confidence === 0) return null;
  return (
    <span className="type-source" title={`From its behaviour, confidence ${formatShare(confidence)}`}>
      <Meter share={confidence} />
      <span className="muted small">{formatShare(confidence)}</span>
    </span>
  );
}
