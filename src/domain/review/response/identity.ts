import type { IdentityGrade } from "../../../contract/review/response.ts";
import { type Anchor, traitsOf } from "../../device/identity/anchors.ts";

/**
 * How reliably a device's address is tied to the device, judged by its identity anchors. A value that several
 * machines have at the same time proves nothing.
 */
export function identityGrade(
  anchors: readonly (Pick<Anchor, "class" | "value"> & { shared: boolean })[],
): IdentityGrade {
  const traits = anchors.filter(({ shared }) => !shared).map(traitsOf);
  if (traits.some(({ strong }) => strong)) return "strong";
  return traits.some(({ confirming }) => confirming) ? "weak" : "address_only";
}
