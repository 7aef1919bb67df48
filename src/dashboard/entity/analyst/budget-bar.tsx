import type { AnalystBudget } from "../../../contract/analyst/analyst-run.ts";
import { dollars } from "./money.ts";

/** What is left of a day's budget, in micro-USD; never negative, because a budget may be lowered. */
export function leftOf({ limit_microusd, reserved_microusd, spent_microusd }: AnalystBudget): number {
  return Math.max(0, limit_microusd - reserved_microusd - spent_microusd);
}

/** Spent, reserved and left of the tenant's budget of the UTC day. */
export function BudgetBar({ budget }: { budget: AnalystBudget }) {
  const { limit_microusd: limit, reserved_microusd: reserved, spent_microusd: spent } = budget;
  const share = (part: number) => limit === 0 ? 0 : Math.min(100, part / limit * 100);
  const words = `${dollars(spent)} spent, ${dollars(reserved)} reserved, ${dollars(leftOf(budget))} left of ${
    dollars(limit)
  }`;
  return (
    <div className="budget">
      <p className="small">
        Budget today (UTC): <span className="strong">{words}</span>
      </p>
      <svg
        className="budget-bar"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        <rect className="track" width="100" height="6" />
        <rect className="budget-spent" width={share(spent)} height="6" />
        <rect
          className="budget-reserved"
          x={share(spent)}
          width={Math.min(100 - share(spent), share(reserved))}
          height="6"
        />
      </svg>
    </div>
  );
}
