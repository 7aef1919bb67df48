import type { ReactNode } from "react";
import type { ChartColour } from "./colour.ts";
import type { Unit } from "./unit.ts";

export interface SankeyNode {
  id: string;
  /** In words. */
  text: string;
  colour?: ChartColour;
  /** Makes its label a link. */
  link?: (label: ReactNode) => ReactNode;
}

export interface SankeyLink {
  source: string;
  target: string;
  value: number;
}

export interface SankeyProps {
  label: string;
  nodes: SankeyNode[];
  /** From left to right; they form no circle. */
  links: SankeyLink[];
  unit: Unit;
  height?: number;
}
