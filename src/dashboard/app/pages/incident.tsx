import { lazy } from "react";
import { AnalystCard } from "../../analyst/analyst-card.tsx";
import { withParts } from "../../entity/parts.tsx";
import { IncidentPage as Page } from "../../incident/incident.tsx";
import { ResultFeedback } from "../../review/feedback/result-feedback.tsx";
import { StatusProposals } from "../../review/proposal/status-proposals.tsx";
import { ResponseCard } from "../../review/response-card.tsx";
import { SuppressCard } from "../../review/suppress-card.tsx";
import { INCIDENT_FORMS } from "./incident-forms.ts";

/** Loaded when it is opened, with the parser of the documentation. */
const DetectorGuide = lazy(async () => ({
  default: (await import("../../help/detector-help.tsx")).DetectorGuide,
}));

export const IncidentPage = withParts(
  {
    ...INCIDENT_FORMS,
    AnalystCard,
    DetectorGuide,
    ResponseCard,
    ResultFeedback,
    StatusProposals,
    SuppressCard,
  },
  Page,
);
