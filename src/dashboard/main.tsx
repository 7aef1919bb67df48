/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import type { Incident } from "../contract/incident.ts";
const i: Incident | null = null;
createRoot(document.getElementById("root")!).render(<StrictMode><p onClick={(e) => e.currentTarget.id}>{i}{String(QueryClient)}{String(createRouter)}</p></StrictMode>);
