import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import type { AnalystCallPreview } from "../../../contract/analyst/analyst-run.ts";
import { to } from "../../base/links.ts";
import { Fact } from "../../ui/fact.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { formatExact, plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icons.tsx";
import { BudgetBar, leftOf } from "./budget-bar.tsx";
import { dollars } from "./money.ts";
import { SentParts, SentTexts } from "./sent-text.tsx";

/** Whether the highest possible cost is more than what is left of the day's budget. */
export function isShort({ worst_microusd, budget }: AnalystCallPreview): boolean {
  return worst_microusd > leftOf(budget);
}

interface CallPreviewProps {
  preview: AnalystCallPreview;
  /** What the model is asked about. */
  what: "Incident" | "Question";
  /** Further facts. */
  children?: ReactNode;
}

/** What a call of the model would send and cost, before anything leaves the appliance. */
export function CallPreview({ preview, what, children }: CallPreviewProps) {
  const { model, sent, sent_parts, placeholders, budget } = preview;
  return (
    <>
      <dl className="facts">
        <Fact name="Model" wrap>
          <Foreign text={model.model} /> <span className="muted">at provider</span>{" "}
          <Foreign text={model.provider} />
        </Fact>
        {children}
        <Fact name="Placeholders">
          {placeholders === 0
            ? "None"
            : `${plural(placeholders, "name or address", "names and addresses")} replaced`}
        </Fact>
        <Fact name="Tokens">
          about {formatExact(preview.estimated_input_tokens)} in, at most{" "}
          {formatExact(preview.max_output_tokens)} out
        </Fact>
        <Fact name="Cost">
          <span className="strong">about {dollars(preview.estimated_microusd)}</span>, at most{" "}
          {dollars(preview.worst_microusd)}, which is reserved first
        </Fact>
      </dl>
      <BudgetBar budget={budget} />
      <section aria-label="What is sent">
        <h3>What is sent</h3>
        <SentParts parts={sent_parts} />
        <SentTexts sent={sent} what={what} />
      </section>
      {isShort(preview) && (
        <p className="notice notice-warning" role="status">
          <Icon name="warning" />
          <span>
            The highest possible cost does not fit into what is left of today's budget. It is renewed at 00:00
            UTC; reserved amounts may become free before.
          </span>
        </p>
      )}
    </>
  );
}

/** Instead of a preview if the tenant has no provider. */
export function NoProvider({ message }: { message: string }) {
  return (
    <p className="notice">
      <Icon name="help" />
      <span>
        {message} <Link {...to.help("analyst")} className="link">How to configure one</Link>
      </span>
    </p>
  );
}
