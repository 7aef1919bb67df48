/// <reference lib="dom" />
import { createContext } from "react";

/**
 * The place in the head of a card for the tools of its chart: null until it is rendered, undefined outside a card.
 */
export const ToolsSlot = createContext<HTMLElement | null | undefined>(undefined);
