import type { Protocol } from "./admin-services.ts";

/** What score and texts need in addition to the state. */
export interface LateralContext {
  deviceId: string;
  deviceName: string;
  /** The administering device is a server by its confirmed type. */
  sourceIsServer: boolean;
  peerIp: string;
  peerName: string;
  peerDeviceId: string | null;
  peerIsServer: boolean;
  /** The administered host answers as a directory (Kerberos, LDAP), and the device is no server itself. */
  peerIsDirectoryOfClient: boolean;
  peerPort: number;
  protocol: Protocol;
  learned: boolean;
}
