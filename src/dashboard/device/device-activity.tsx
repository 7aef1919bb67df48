import type { DeviceDetail } from "../../contract/device/device.ts";
import { DevicePeers } from "./device-peers.tsx";
import { DeviceTraffic } from "./device-traffic.tsx";
import { DeviceIncidents } from "./device-incidents.tsx";
import { Peers, Services } from "./device-tables.tsx";
import { IntelMatches } from "../entity/intel/intel.tsx";
import { Card } from "../ui/page.tsx";
import { useZone } from "../base/time/zone.ts";
import { PatternGrid } from "./pattern-grid.tsx";

/** Activity of a device in the window, and its peers. */
export function DeviceActivity({ device }: { device: DeviceDetail }) {
  const zone = useZone();
  return (
    <div className="columns columns-even">
      <div className="column-main">
        <DeviceTraffic device={device} />
        {device.intel_matches.length > 0 && (
          <Card
            title="Threat intelligence matches"
            note="from indicator lists, over all time"
            flush
          >
            <IntelMatches matches={device.intel_matches} />
          </Card>
        )}
        <DevicePeers device={device} />
        <Card title="Top destinations" note="external, by bytes sent" flush>
          <Peers peers={device.top_destinations} device={device.device_id} label="Top destinations" />
        </Card>
        <Card title="Top peers" note="by flows" flush>
          <Peers peers={device.top_peers} device={device.device_id} label="Top peers" />
        </Card>
      </div>
      <div className="column-side">
        <Card title="Incidents" note="of any age" flush>
          <DeviceIncidents device={device.device_id} />
        </Card>
        <Card title="Activity pattern" note={`flows by hour and weekday, ${zone}`}>
          <PatternGrid cells={device.pattern_grid} />
        </Card>
        <Card title="Services" flush>
          <Services services={device.services} />
        </Card>
      </div>
    </div>
  );
}
