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
  peerPort: number;
  protocol: Protocol;
  learned: boolean;
}
