import { type ComponentType, createContext, type ReactNode, useContext, useMemo } from "react";
import type { Device } from "../../contract/device/device.ts";
import type { Incident, IncidentDetail, ModelResult } from "../../contract/incident/incident.ts";
import type { IncidentStatus } from "../../contract/record/kinds.ts";
import type { Entity } from "./entity-kinds.ts";

/** What a noun shows of another one. `app` provides it for each page, so that no noun imports another. */
export interface Parts {
  AnalystCard: ComponentType<{
    incident: IncidentDetail;
    /** Shows a record of the evidence. */
    showRecord: (evidenceId: string) => void;
    /** Opens the form of a status; null for a role that may not change it. */
    changeStatus: ((status: IncidentStatus) => void) | null;
  }>;
  DetectorGuide: ComponentType<{ model: string }>;
  DetectorHelp: ComponentType<{ model: string }>;
  FlowsCard: ComponentType<{ text: string; storageKey: string }>;
  IncidentFeedback: ComponentType<{ incidentId: string; close: () => void }>;
  ResponseCard: ComponentType<{ incident: IncidentDetail }>;
  ResultFeedback: ComponentType<{ incidentId: string; result: ModelResult }>;
  StatusProposals: ComponentType<{ incidentId: string }>;
  SuppressCard: ComponentType<{ incident: IncidentDetail }>;
  SuppressForm: ComponentType<{ incident: IncidentDetail; saved: () => void; cancel: () => void }>;
  TriageProposalForm: ComponentType<
    { incident: Pick<Incident, "id" | "title" | "status">; close: () => void }
  >;
  TypeProposal: ComponentType<{ device: Pick<Device, "device_id" | "display_name" | "device_type"> }>;
  // The forms that the menu of a value opens.
  BlockValue: ComponentType<{ incident: IncidentDetail; address: string; close: () => void }>;
  ChangeDetector: ComponentType<{ model: string; close: () => void }>;
  SuppressValue: ComponentType<{ entity: Entity; close: () => void }>;
}

const PartsContext = createContext<Partial<Parts>>({});

interface ProvidePartsProps {
  /** The same object in every render. */
  parts: Partial<Parts>;
  children: ReactNode;
}

/** Provides parts in addition to those from above. */
export function ProvideParts({ parts, children }: ProvidePartsProps) {
  const outer = useContext(PartsContext);
  const all = useMemo(() => ({ ...outer, ...parts }), [outer, parts]);
  return <PartsContext value={all}>{children}</PartsContext>;
}

/** A page with what it shows of other nouns. */
export function withParts(parts: Partial<Parts>, Page: ComponentType): ComponentType {
  return () => (
    <ProvideParts parts={parts}>
      <Page />
    </ProvideParts>
  );
}

/** A component of another noun. */
export function usePart<Name extends keyof Parts>(name: Name): Parts[Name] {
  const part = useContext(PartsContext)[name];
  if (part === undefined) throw new Error(`expected app to provide ${name}`);
  return part;
}
