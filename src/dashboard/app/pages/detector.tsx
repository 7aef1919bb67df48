import { withParts } from "../../entity/parts.tsx";
import { DetectorHelp } from "../../help/detector-help.tsx";
import { DetectorPage as Page } from "../../incident/detector-page.tsx";

export const DetectorPage = withParts({ DetectorHelp }, Page);
