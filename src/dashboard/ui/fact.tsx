import type { ReactNode } from "react";

interface FactProps {
  name: string;
  /** Whether a long text breaks anywhere. */
  wrap?: boolean;
  children: ReactNode;
}

/** A name and its value in a list of facts (`<dl className="facts">`). */
export function Fact({ name, wrap = false, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={wrap ? "wrap" : undefined}>{children}</dd>
    </div>
  );
}
