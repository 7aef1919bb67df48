import { completeText } from "../../../contract/filter/complete.ts";
import { quoteValue } from "../../../contract/filter/printer.ts";
import type { Completion } from "../../../contract/search/search.ts";
import { knownValues } from "../../../store/search/values.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";

const DAY = 86_400_000_000;
/** Suggestions of one answer, documented in the contract. */
const MAX_ITEMS = 50;
/** Values of the last day among them. */
const MAX_VALUES = 20;

export function completeHandlers(deps: HandlerDeps): Pick<Handlers, "completeSearch"> {
  return {
    async completeSearch({ caller: { tenantId }, query: { text, caret = text.length, kind }, now }) {
      const { from, to, context, items } = completeText(text, caret, kind);
      const ofGrammar: Completion["items"] = items.map((item) => ({ ...item, count: null }));
      if (context.type !== "value") return { data: { from, to, items: ofGrammar.slice(0, MAX_ITEMS) } };
      const { field, prefix } = context;
      const known = await deps.db.tenant(
        tenantId,
        (tx) => knownValues(tx, tenantId, { field, prefix, since: now - DAY, limit: MAX_VALUES }),
      );
      const ofRecords = known.map((value): Completion["items"][number] => ({
        insert: quoteValue(field, value.text),
        label: value.text,
        detail: null,
        count: value.count,
      }));
      const listed = new Set(ofRecords.map(({ insert }) => insert));
      const others = ofGrammar.filter(({ insert }) => !listed.has(insert));
      return { data: { from, to, items: [...ofRecords, ...others].slice(0, MAX_ITEMS) } };
    },
  };
}
