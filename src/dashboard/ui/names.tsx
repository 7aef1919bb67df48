import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { splitHidden } from "./json-text.ts";
import { deviceDirectory } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";

/**
 * Text that came over the network: never markup; hidden and direction-changing characters are made visible.
 */
export function Foreign({ text, className = "" }: { text: string; className?: string }) {
  return (
    <span className={`foreign ${className}`}>
      {splitHidden(text).map((part, index) =>
        typeof part === "string" ? part : <span key={index} className="unseen">{part.hidden}</span>
      )}
    </span>
  );
}

/** A device's name if the directory has it, otherwise `fallback`, otherwise the identifier. */
export function useDeviceName(): (id: string, fallback?: string) => string {
  const { tenant } = useSignedIn();
  const { data } = useQuery(deviceDirectory(tenant));
  return (id, fallback) => data?.devices.get(id)?.display_name ?? fallback ?? id;
}

interface DeviceLinkProps {
  id: string;
  name: string;
  children?: ReactNode;
}

export function DeviceLink({ id, name, children }: DeviceLinkProps) {
  return (
    <Link to="/devices/$deviceId" params={{ deviceId: id }} className="device-link">
      <Foreign text={name} />
      {children}
    </Link>
  );
}

interface DeviceNamesProps {
  ids: string[];
  names?: Record<string, string>;
  /** How many are named; the others are counted. */
  most?: number;
}

/** The devices of an incident, the primary one first. */
export function DeviceNames({ ids, names = {}, most = 2 }: DeviceNamesProps) {
  const nameOf = useDeviceName();
  if (ids.length === 0) return <span className="muted">No device</span>;
  return (
    <span className="device-names">
      {ids.slice(0, most).map((id) => <DeviceLink key={id} id={id} name={names[id] ?? nameOf(id)} />)}
      {ids.length > most && <span className="muted">+{ids.length - most}</span>}
    </span>
  );
}
