import { DevicePage as Page } from "../../device/device.tsx";
import { withParts } from "../../entity/parts.tsx";
import { FlowsCard } from "../../flow/flows-card.tsx";
import { TypeProposal } from "../../review/proposal/type-proposal.tsx";

export const DevicePage = withParts({ FlowsCard, TypeProposal }, Page);
