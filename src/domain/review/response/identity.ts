import type { IdentityGrade } from "../../../contract/review/response.ts";
import { type Anchor, traitsOf } from "../../device/identity/anchors.ts";

/**
 * How well it is proven whose a device's address is, by what was seen of the device. A value that several machines have
 * at the same time proves nothing.
 */
export function identityGrade(
  anchors: readonly (Pick<Anchor, "class" | "value"> & { shared: boolean })[],
): IdentityGrade {
  const traits = anchors.filter(({ shared }) => !shared).map(traitsOf);
  if (traits.some(({ strong }) => strong)) return "strong";
  return traits.some(({ confirming }) => confirming) ? "weak" : "address_only";
}
