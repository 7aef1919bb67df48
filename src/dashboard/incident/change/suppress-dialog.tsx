import { useQuery } from "@tanstack/react-query";
import { incidentDetail } from "../../base/incidents.ts";
import { useSignedIn } from "../../base/session.ts";
import { usePart } from "../../entity/parts.tsx";
import { ErrorState, SkeletonBlock } from "../../ui/states.tsx";

interface SuppressDialogProps {
  incidentId: string;
  saved: () => void;
  cancel: () => void;
}

/** The suppression form of an incident, wherever it is opened. */
export function SuppressDialog({ incidentId, saved, cancel }: SuppressDialogProps) {
  const { tenant } = useSignedIn();
  const SuppressForm = usePart("SuppressForm");
  const { data, error, refetch } = useQuery(incidentDetail(tenant, incidentId));
  if (data) return <SuppressForm incident={data} saved={saved} cancel={cancel} />;
  if (error) return <ErrorState what="The incident" error={error} retry={() => void refetch()} />;
  return <SkeletonBlock />;
}
