import { ApiError } from "../../contract/errors.ts";
import type { Handlers } from "../handler.ts";
import type { HandlerDeps } from "./deps.ts";

export function siteHandlers({ tenants }: HandlerDeps): Pick<Handlers, "getSite"> {
  return {
    getSite: ({ caller }) => {
      const tenant = tenants.get(caller.tenantId);
      if (!tenant) throw new ApiError("not_found");
      return Promise.resolve({ data: tenant.site });
    },
  };
}
