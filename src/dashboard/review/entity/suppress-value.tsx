import { useDetectors } from "../detectors.ts";
import { SuppressForm } from "../suppress-form.tsx";
import { useDeviceName } from "../../base/devices.ts";
import type { Entity } from "../../entity/entity-kinds.ts";

/** The suppression form for a value; its detectors are those that have found something. */
export default function SuppressValue({ entity, close }: { entity: Entity; close: () => void }) {
  const nameOf = useDeviceName();
  const detectors = useDetectors();
  const value = String(entity.value);
  const device = entity.kind === "device" ? value : entity.deviceId ?? null;
  return (
    <SuppressForm
      incident={{
        device_ids: device === null ? [] : [device],
        device_names: device === null ? {} : { [device]: nameOf(device, entity.label) },
        model_ids: detectors,
        model_results: [],
        pattern: { source: device, destination: device === null ? value : null, port: null, detector: null },
      }}
      saved={close}
      cancel={close}
    />
  );
}
