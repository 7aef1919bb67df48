import { ApiError } from "../request/errors.ts";
import type { Role } from "../record/kinds.ts";

/** Whether roles suffice for an operation: any role includes `reader`, no other role includes another. */
export function allows(roles: readonly Role[], required: Role): boolean {
  return required === "reader" ? roles.length > 0 : roles.includes(required);
}

/** Throws `forbidden` where they do not. */
export function requireRole(roles: readonly Role[], required: Role): void {
  if (!allows(roles, required)) {
    throw new ApiError("forbidden", `This needs the role ${required}.`, { required_role: required });
  }
}
