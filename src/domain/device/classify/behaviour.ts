import type { Micros } from "../../record/observation.ts";

/** One service a device offers or uses within the observed period. */
export interface ServiceUse {
  /** Lower-case IANA keyword. */
  proto: string;
  /** The server's port; null if the protocol has none. */
  port: number | null;
  /** The sensor's name (`dns`, `gssapi,smb,krb`); null if unknown. */
  service: string | null;
  flowCount: number;
  /** Distinct addresses at the other end, and how many of them are external. */
  peerCount: number;
  outsideCount: number;
}

/** A device's behaviour as recorded, the basis of its classification. The reader bounds every list. */
export interface DeviceBehaviour {
  /** The observed period. */
  from: Micros;
  to: Micros;
  /** Services others used and that responded. */
  serves: ServiceUse[];
  /** Services of others it used, whether they responded or not. */
  uses: ServiceUse[];
  userAgents: string[];
  /** Names it reported for itself, by DHCP and similar. */
  hostNames: string[];
  /** DHCP vendor classes it sent. */
  vendorClasses: string[];
  /** Names of servers it looked up or contacted. */
  domains: string[];
  /** Identification strings of its own SSH software. */
  sshSoftware: string[];
}
