import type { Device } from "../../contract/device/device.ts";
import { INVENTORY_CONFIDENCE } from "./classify/classify.ts";
import type { DisplayNameSource } from "./display-name.ts";

/** What may be said of a device by a person, by the inventory, or by its own behaviour. */
export interface DeviceDescription {
  displayName: string;
  displayNameSource: DisplayNameSource;
  deviceType: string;
  classificationSource: Device["classification_source"];
  confidence: number;
  owner: string | null;
  /** Who said so; null where nobody did. */
  ownerSource: "person" | "inventory" | null;
  /** In alphabetical order. */
  tags: readonly string[];
  tagsSource: "person" | "inventory" | null;
}

/** What the inventory says of a device; null is what it does not say. */
export interface InventoryWord {
  name: string;
  type: string | null;
  owner: string | null;
  tags: readonly string[];
}

/** What is known of a device without anybody's word. */
export interface ObservedDescription {
  displayName: string;
  deviceType: string;
  confidence: number;
}

/**
 * A device as it is described once the inventory has had its say: field by field, what a person said stays, what the
 * inventory says comes next, and what it no longer says goes back to what is observed.
 *
 * @param word null where the inventory does not have the device
 */
export function describeWithInventory(
  device: DeviceDescription,
  word: InventoryWord | null,
  observed: ObservedDescription,
): DeviceDescription {
  return {
    ...named(device, word, observed),
    ...classified(device, word, observed),
    ...owned(device, word),
    ...tagged(device, word),
  };
}

function named(
  { displayName, displayNameSource }: DeviceDescription,
  word: InventoryWord | null,
  observed: ObservedDescription,
): Pick<DeviceDescription, "displayName" | "displayNameSource"> {
  if (displayNameSource === "person") return { displayName, displayNameSource };
  if (word) return { displayName: word.name, displayNameSource: "inventory" };
  if (displayNameSource !== "inventory") return { displayName, displayNameSource };
  return { displayName: observed.displayName, displayNameSource: "address" };
}

function classified(
  { deviceType, classificationSource, confidence }: DeviceDescription,
  word: InventoryWord | null,
  observed: ObservedDescription,
): Pick<DeviceDescription, "deviceType" | "classificationSource" | "confidence"> {
  if (classificationSource === "human_confirmed") return { deviceType, classificationSource, confidence };
  const type = word?.type ?? null;
  if (type !== null) {
    return { deviceType: type, classificationSource: "inventory", confidence: INVENTORY_CONFIDENCE };
  }
  if (classificationSource === "observed") return { deviceType, classificationSource, confidence };
  return {
    deviceType: observed.deviceType,
    classificationSource: "observed",
    confidence: observed.confidence,
  };
}

function owned(
  { owner, ownerSource }: DeviceDescription,
  word: InventoryWord | null,
): Pick<DeviceDescription, "owner" | "ownerSource"> {
  if (ownerSource === "person") return { owner, ownerSource };
  const said = word?.owner ?? null;
  return { owner: said, ownerSource: said === null ? null : "inventory" };
}

function tagged(
  { tags, tagsSource }: DeviceDescription,
  word: InventoryWord | null,
): Pick<DeviceDescription, "tags" | "tagsSource"> {
  if (tagsSource === "person") return { tags, tagsSource };
  const said = word?.tags ?? [];
  return { tags: said, tagsSource: said.length === 0 ? null : "inventory" };
}

/** Whether two descriptions differ in anything. */
export function differs(a: DeviceDescription, b: DeviceDescription): boolean {
  const { tags: tagsA, ...restA } = a;
  const { tags: tagsB, ...restB } = b;
  const fields = Object.keys(restA) as (keyof typeof restA)[];
  return fields.some((field) => restA[field] !== restB[field]) || tagsDiffer(tagsA, tagsB);
}

function tagsDiffer(a: readonly string[], b: readonly string[]): boolean {
  return a.length !== b.length || a.some((tag, at) => tag !== b[at]);
}
