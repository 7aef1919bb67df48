import { useQuery } from "@tanstack/react-query";
import type { Device } from "../../contract/device/device.ts";
import { to } from "../base/links.ts";
import { deviceDetail } from "./device-queries.ts";
import { useSignedIn } from "../base/session.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Peek } from "../ui/peek/peek.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { useRange } from "../ui/time/range-control.tsx";
import { useZone } from "../base/time/zone.ts";
import { DeviceGlance } from "./device-glance.tsx";
import { DeviceIncidents } from "./device-incidents.tsx";

/** The essence of the active device beside the list. */
export function DevicePeek({ device, close }: { device: Device | null; close: () => void }) {
  return (
    <Peek
      label="Device"
      title={device && <Foreign text={device.display_name} />}
      open={device !== null}
      onClose={close}
      page={device === null ? undefined : to.device(device.device_id)}
    >
      {device !== null && <Essence key={device.device_id} id={device.device_id} />}
    </Peek>
  );
}

function Essence({ id }: { id: string }) {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const { data, error, isPending, refetch } = useQuery(deviceDetail(tenant, id, range, useZone()));
  if (!data) {
    return isPending
      ? <SkeletonBlock tall />
      : <ErrorState what="The device" error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <DeviceGlance device={data} />
      <h3>Incidents</h3>
      <DeviceIncidents device={id} />
    </>
  );
}
