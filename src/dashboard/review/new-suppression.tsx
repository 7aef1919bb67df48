import { useQuery } from "@tanstack/react-query";
import { deviceDirectory } from "../base/devices.ts";
import { useSignedIn } from "../base/session.ts";
import { SkeletonBlock } from "../ui/states.tsx";
import { useDetectors } from "./detectors.ts";
import { SuppressForm } from "./suppress-form.tsx";

const NOTHING = { source: null, destination: null, port: null, detector: null };

/** The suppression form with nothing filled in, for what has no incident yet. */
export function NewSuppression({ saved, cancel }: { saved: () => void; cancel: () => void }) {
  const { tenant } = useSignedIn();
  const detectors = useDetectors();
  const { data, isPending } = useQuery(deviceDirectory(tenant));
  if (isPending) return <SkeletonBlock />;
  const devices = [...data?.devices.values() ?? []];
  return (
    <SuppressForm
      incident={{
        device_ids: devices.map(({ device_id }) => device_id),
        device_names: Object.fromEntries(
          devices.map(({ device_id, display_name }) => [device_id, display_name]),
        ),
        model_ids: detectors,
        model_results: [],
        pattern: NOTHING,
      }}
      saved={saved}
      cancel={cancel}
    />
  );
}
