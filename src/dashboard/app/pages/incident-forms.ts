import { IncidentFeedback } from "../../review/feedback/new-feedback.tsx";
import { TriageProposalForm } from "../../review/proposal/triage-proposal-form.tsx";
import { SuppressForm } from "../../review/suppress-form.tsx";

/** What the actions on incidents open. */
export const INCIDENT_FORMS = { IncidentFeedback, SuppressForm, TriageProposalForm };
