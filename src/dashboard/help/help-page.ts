import { queryOptions } from "@tanstack/react-query";
import { loadPage } from "./pages.ts";

/** The Markdown of a page of the documentation; null if there is none. */
export const helpPage = (name: string) =>
  queryOptions({ queryKey: ["help", name], queryFn: () => loadPage(name), staleTime: Infinity });
