interface ChartTooltipProps {
  title: string;
  /** Pixels from the left edge of the chart. */
  left: number;
  /** On the left of that position, because there is no room on its right. */
  backwards: boolean;
  rows: { key: string; label: string; colourClass?: string; amount: string }[];
}

/** The numbers under the cursor. Screen readers have them from the element that has the focus. */
export function ChartTooltip({ title, left, backwards, rows }: ChartTooltipProps) {
  return (
    <div className={backwards ? "chart-tip chart-tip-left" : "chart-tip"} style={{ left }} aria-hidden="true">
      <p className="strong">{title}</p>
      <dl>
        {rows.map(({ key, label, colourClass, amount }) => (
          <div key={key}>
            <dt>
              {colourClass !== undefined && (
                <svg className={`legend-mark ${colourClass}`} viewBox="0 0 10 10">
                  <rect width="10" height="10" rx="2" />
                </svg>
              )}
              {label}
            </dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
