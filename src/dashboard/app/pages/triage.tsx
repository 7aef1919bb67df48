import { withParts } from "../../entity/parts.tsx";
import { Triage as Page } from "../../incident/triage/triage.tsx";
import { INCIDENT_FORMS } from "./incident-forms.ts";

export const Triage = withParts(INCIDENT_FORMS, Page);
