// Device behaviours for classification tests; empty unless stated.
import type { DeviceBehaviour, ServiceUse } from "../../../src/domain/device/classify/behaviour.ts";

const HOUR = 3_600_000_000;

export function behaviour(more: Partial<DeviceBehaviour> = {}): DeviceBehaviour {
  return {
    from: 0,
    to: HOUR,
    serves: [],
    uses: [],
    userAgents: [],
    hostNames: [],
    vendorClasses: [],
    domains: [],
    sshSoftware: [],
    ...more,
  };
}

/**
 * `tcp/88 krb_tcp 3`: protocol and port, the sensor's service name (`-` for none) and the number of peers.
 */
export function service(text: string, flowCount = 20): ServiceUse {
  const [place, name, peers] = text.split(" ") as [string, string, string];
  const [proto, port] = place.split("/") as [string, string];
  return {
    proto,
    port: Number(port),
    service: name === "-" ? null : name,
    flowCount,
    peerCount: Number(peers),
    outsideCount: Number(peers),
  };
}
