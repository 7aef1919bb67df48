import type { Micros } from "../../record/observation.ts";

/** One service that a device offers, or uses, over the time that was looked at. */
export interface ServiceUse {
  /** Lower-case IANA keyword. */
  proto: string;
  /** The server's port; null where the protocol has none. */
  port: number | null;
  /** As the sensor names it (`dns`, `gssapi,smb,krb`); null where it does not know. */
  service: string | null;
  flowCount: number;
  /** Different addresses at the other end, and those of them outside of the site. */
  peerCount: number;
  outsideCount: number;
}

/** What records show of a device; the basis of its classification. Every list is bounded by whoever reads it. */
export interface DeviceBehaviour {
  /** The time that was looked at. */
  from: Micros;
  to: Micros;
  /** Services that others used and that answered. */
  serves: ServiceUse[];
  /** Services of others that it used, answered or not. */
  uses: ServiceUse[];
  userAgents: string[];
  /** Names it gave of itself, by DHCP and the like. */
  hostNames: string[];
  /** DHCP vendor classes it sent. */
  vendorClasses: string[];
  /** Names of the servers it asked for, or talked to. */
  domains: string[];
  /** Identification strings of its own SSH software. */
  sshSoftware: string[];
}
