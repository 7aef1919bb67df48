import type { Device, DevicePatch } from "../../contract/device/device.ts";
import type { FieldVersions } from "../ui/conflict/compare.ts";
import { ABSENT } from "../ui/format.ts";
import { typeName } from "../entity/device/device-type.tsx";

/** What the form of a device contains, as text. */
export interface Entered {
  display_name: string;
  device_type: string;
  owner: string;
  tags: string;
}
const NAMES = ["display_name", "device_type", "owner", "tags"] as const satisfies (keyof Entered)[];

export function enteredOf({ display_name, device_type, owner, tags }: Device): Entered {
  return { display_name, device_type, owner: owner ?? "", tags: tags.join(", ") };
}

/** The fields that were kept from an earlier attempt; null if there are none. */
export function readDraft(text: string): Entered | null {
  try {
    const draft: unknown = JSON.parse(text);
    if (typeof draft !== "object" || draft === null) return null;
    const fields = draft as Record<string, unknown>;
    return NAMES.every((name) => typeof fields[name] === "string") ? fields as unknown as Entered : null;
  } catch {
    return null;
  }
}

/** `a, b` as a list without duplicates. */
function tagsOf(text: string): string[] {
  return [...new Set(text.split(",").map((tag) => tag.trim()).filter((tag) => tag !== ""))];
}

/** Always includes name and type, because saving confirms them even if unchanged. */
export function patchOf({ display_name, device_type, owner, tags }: Entered): DevicePatch {
  return {
    display_name: display_name.trim(),
    device_type: device_type.trim(),
    owner: owner.trim() || null,
    tags: tagsOf(tags),
  };
}

/** The stored fields with those that the person changed since the form was opened. */
export function merged(base: Entered, mine: Entered, stored: Entered): Entered {
  const field = (name: keyof Entered) => mine[name] === base[name] ? stored[name] : mine[name];
  return {
    display_name: field("display_name"),
    device_type: field("device_type"),
    owner: field("owner"),
    tags: field("tags"),
  };
}

const LABELS: Record<keyof Entered, string> = {
  display_name: "Name",
  device_type: "Type",
  owner: "Owner",
  tags: "Tags",
};

export function conflictFields(base: Entered, theirs: Entered, mine: Entered): FieldVersions[] {
  const shown = (name: keyof Entered, { [name]: value }: Entered) =>
    (name === "device_type" ? typeName(value) : value) || ABSENT;
  return NAMES.map((name) => ({
    label: LABELS[name],
    base: shown(name, base),
    theirs: shown(name, theirs),
    mine: shown(name, mine),
  }));
}
