/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { ApiFailure, isStillReading, isTransient, retryDelay } from "../base/api.ts";
import { isLive } from "../base/live.ts";
import { router } from "./router.tsx";
import { SESSION_KEY } from "../base/session.ts";

const RETRIES = 2;
/** Each try goes on reading where the one before stopped. */
const READS = 30;
const MONO_MILLISECONDS = 3000;

/** A 401 or 403 means that the session differs from what this page assumes: read it again. */
function askAgain(error: unknown): void {
  if (error instanceof ApiFailure && (error.status === 401 || error.status === 403)) {
    void client.invalidateQueries({ queryKey: SESSION_KEY });
  }
}

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => query.queryKey[0] !== SESSION_KEY[0] && askAgain(error),
  }),
  mutationCache: new MutationCache({ onError: askAgain }),
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // A paused page does not wait for its next try.
      retry: (count, error) =>
        isLive() && isTransient(error) && count < (isStillReading(error) ? READS : RETRIES),
      retryDelay,
      // Without a network a request fails immediately with an error instead of being queued silently.
      networkMode: "always",
      refetchOnReconnect: true,
    },
    mutations: { networkMode: "always" },
  },
});

const root = document.getElementById("root");
if (root === null) throw new Error("expected an element #root in index.html");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

/** The second font is not worth a slower first page: it waits until the page has had its data for a while. */
function loadMonoFont(wasIdle = false): void {
  const isIdle = client.isFetching() === 0;
  if (isIdle && wasIdle) return void import("../ui/styles/mono-font.css");
  setTimeout(() => loadMonoFont(isIdle), MONO_MILLISECONDS);
}
addEventListener("load", () => loadMonoFont());
