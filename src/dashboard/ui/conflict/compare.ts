/** One field of a form in three versions, as text for display. */
export interface FieldVersions {
  label: string;
  /** When the form was opened. */
  base: string;
  /** As it is stored now. */
  theirs: string;
  /** As entered; null for a field that the form does not edit. */
  mine: string | null;
}

/** Who changed a field since the form was opened; `agree`: both, to the same value. */
export type ChangedBy = "mine" | "theirs" | "both" | "agree";

interface FieldDifference extends FieldVersions {
  changedBy: ChangedBy;
}

/** The fields that changed on either side, in the order of the form. */
export function compareFields(fields: readonly FieldVersions[]): FieldDifference[] {
  return fields.flatMap((field) => {
    const changedBy = changedByOf(field);
    return changedBy === null ? [] : [{ ...field, changedBy }];
  });
}

function changedByOf({ base, theirs, mine }: FieldVersions): ChangedBy | null {
  const [byMe, byThem] = [mine !== null && mine !== base, theirs !== base];
  if (byMe && byThem) return mine === theirs ? "agree" : "both";
  return byMe ? "mine" : byThem ? "theirs" : null;
}
