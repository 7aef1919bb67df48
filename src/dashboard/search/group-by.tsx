import { FIELD_LABELS } from "../../contract/filter/fields.ts";
import { GROUP_FIELDS, type GroupField } from "../../contract/filter/aggregate.ts";
import { ChoiceFilter } from "../ui/field/select-field.tsx";
import { formatLabel } from "../ui/format.ts";
import type { ListFilter } from "./use-filter.ts";

const GROUPS = 10;

/** Chooses the field whose values are ranked above the list. */
export function GroupBy({ filter: { kind, top, rank } }: { filter: ListFilter }) {
  const fields: readonly GroupField[] = GROUP_FIELDS[kind];
  const chosen = fields.find((field) => field === top?.field);
  return (
    <ChoiceFilter
      label="Group by"
      otherwise="nothing"
      value={chosen}
      options={fields.map((field) => [field, formatLabel(FIELD_LABELS[field])])}
      set={(field) =>
        rank(
          field === undefined ? null : {
            field,
            measure: top?.measure ?? "count",
            limit: GROUPS,
            bucket: null,
          },
        )}
    />
  );
}
