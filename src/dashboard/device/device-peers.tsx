import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Device } from "../../contract/device/device.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { aggregate, type Summed } from "../search/aggregates.ts";
import { ChartSkeleton, ChartSlot } from "../ui/chart/chart-slot.tsx";
import { usePivotWindow } from "../entity/entity-scope.ts";
import { Sankey } from "../ui/chart/sankey.tsx";
import { Card } from "../ui/page.tsx";
import { ErrorState } from "../ui/states.tsx";
import { useRange } from "../ui/time/range-control.tsx";
import { DEVICE, peerFlows } from "./peer-flows.ts";

const HEIGHT = 280;
/** The most addresses of a device that a filter names. */
const ADDRESSES = 20;

/** Bytes between the device and its peers, by who opened the flow and by service. */
export function DevicePeers({ device }: { device: Device }) {
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  const scope = usePivotWindow();
  const own = device.addresses.slice(0, ADDRESSES);
  const end = (side: "src" | "dst") => own.map((ip) => `${side}.ip:${ip}`).join(" or ");
  const asked = (side: "src" | "dst") =>
    aggregate(tenant, {
      kind: "flows",
      // Also by its identifier: another device may have had the address before.
      text: `device.id:${device.device_id} (${end(side)})`,
      range,
      by: [side === "src" ? "dst.ip" : "src.ip", "service"],
      measure: "bytes",
      limit: 60,
    }, session.csrf_token);
  const outgoing = useQuery({ ...asked("src"), enabled: own.length > 0 });
  const incoming = useQuery({ ...asked("dst"), enabled: own.length > 0 });
  const error = outgoing.error ?? incoming.error;
  const retry = () => {
    void outgoing.refetch();
    void incoming.refetch();
  };
  const flows = outgoing.data && incoming.data &&
    peerFlows(device.display_name, amountsOf(incoming.data), amountsOf(outgoing.data));
  const about = `device.id:${device.device_id}`;
  return (
    <Card title="Peers" note="bytes: clients, this device, services it used, servers">
      <ChartSlot height={HEIGHT} legend={false}>
        {flows
          ? (
            <Sankey
              label="Bytes between this device and its peers"
              unit="bytes"
              height={HEIGHT}
              links={flows.links}
              nodes={flows.nodes.map(({ address, service, ...node }) => {
                const filter = address !== undefined
                  ? `${about} ip:${address}`
                  : service !== undefined
                  ? `${about} service:${service}`
                  : node.id === DEVICE
                  ? about
                  : null;
                return {
                  ...node,
                  link: filter === null
                    ? undefined
                    : (label) => <Link {...to.explore({ filter, scope })}>{label}</Link>,
                };
              })}
            />
          )
          : error
          ? <ErrorState what="The peers" error={error} retry={retry} />
          : own.length === 0
          ? <p className="muted">The device has no address.</p>
          : <ChartSkeleton />}
      </ChartSlot>
    </Card>
  );
}

function amountsOf({ groups }: Summed) {
  return groups.flatMap(({ key: [peer, service = null], total }) =>
    peer === null || peer === undefined ? [] : [{ peer, service, bytes: total }]
  );
}
