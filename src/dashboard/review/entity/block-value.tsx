import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import { ProposeForm } from "../response/propose-form.tsx";

interface BlockValueProps {
  incident: IncidentDetail;
  address: string;
  close: () => void;
}

/** The form that proposes to block an address of an incident. */
export default function BlockValue({ incident, address, close }: BlockValueProps) {
  return <ProposeForm incident={incident} address={address} saved={close} cancel={close} />;
}
