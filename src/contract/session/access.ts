import { ApiError } from "../request/errors.ts";
import type { Role } from "../record/kinds.ts";

/** Whether roles permit an operation: every role includes `reader`, no other role includes another. */
export function allows(roles: readonly Role[], required: Role): boolean {
  return required === "reader" ? roles.length > 0 : roles.includes(required);
}

/** Throws `forbidden` if the roles do not permit the operation. */
export function requireRole(roles: readonly Role[], required: Role): void {
  if (!allows(roles, required)) {
    throw new ApiError("forbidden", `This operation requires the role ${required}.`, {
      reason: "role_missing",
      required_role: required,
    });
  }
}
