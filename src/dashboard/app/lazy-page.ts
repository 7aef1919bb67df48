import { lazyRouteComponent } from "@tanstack/react-router";

/**
 * The component of a page whose code is loaded when it is first opened.
 *
 * A new version has other files, so the router reloads the address when one is missing. While the service does not answer,
 * that would exchange the dashboard, and what was typed in it, for an error page of the browser: the page says so instead.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        const answers = await fetch(location.href, { cache: "no-store" }).then(({ ok }) => ok, () => false);
        throw answers ? error : new Error("NDR does not answer, so the code of this page cannot be loaded.");
      }),
    name,
  );
