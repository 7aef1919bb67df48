/// <reference lib="dom" />
import { useEffect } from "react";
import { useLocation, useRouter } from "@tanstack/react-router";
import { NotFound } from "../failure.tsx";
import { currentPath } from "../../base/links.ts";
import { useSignedIn } from "../../base/session.ts";
import { Splash } from "../../ui/states.tsx";

/** Sends an address without a tenant to its page in the session's tenant. */
export function OldAddress() {
  const { tenant } = useSignedIn();
  const { pathname, searchStr } = useLocation();
  const { history } = useRouter();
  const path = currentPath(pathname, tenant);
  useEffect(() => {
    if (path !== null) history.replace(path + searchStr);
  }, [history, path, searchStr]);
  return path === null
    ? (
      <main className="main" id="main">
        <NotFound />
      </main>
    )
    : <Splash />;
}
