import { Devices as Page } from "../../device/devices.tsx";
import { withParts } from "../../entity/parts.tsx";
import { TypeProposal } from "../../review/proposal/type-proposal.tsx";

export const Devices = withParts({ TypeProposal }, Page);
