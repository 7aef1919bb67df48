import type { Device } from "../../contract/device/device.ts";
import { INVENTORY_CONFIDENCE } from "./classify/classify.ts";
import type { DisplayNameSource } from "./display-name.ts";

/** The description of a device as set by a person, the inventory, or observation. */
export interface DeviceDescription {
  displayName: string;
  displayNameSource: DisplayNameSource;
  deviceType: string;
  classificationSource: Device["classification_source"];
  confidence: number;
  owner: string | null;
  /** Source of the owner; null if unset. */
  ownerSource: "person" | "inventory" | null;
  /** Sorted alphabetically. */
  tags: readonly string[];
  tagsSource: "person" | "inventory" | null;
}

/** An inventory entry; null for what it does not state. */
export interface InventoryEntry {
  name: string;
  type: string | null;
  owner: string | null;
  tags: readonly string[];
}

/** The description from observation alone. */
export interface ObservedDescription {
  displayName: string;
  deviceType: string;
  confidence: number;
}

/**
 * Applies the inventory to a device's description, field by field: a person's value stays, the inventory's
 * value comes next, and a value it no longer states reverts to what is observed.
 *
 * @param entry null if the device is not in the inventory
 */
export function describeWithInventory(
  device: DeviceDescription,
  entry: InventoryEntry | null,
  observed: ObservedDescription,
): DeviceDescription {
  return {
    ...named(device, entry, observed),
    ...classified(device, entry, observed),
    ...owned(device, entry),
    ...tagged(device, entry),
  };
}

function named(
  { displayName, displayNameSource }: DeviceDescription,
  entry: InventoryEntry | null,
  observed: ObservedDescription,
): Pick<DeviceDescription, "displayName" | "displayNameSource"> {
  if (displayNameSource === "person") return { displayName, displayNameSource };
  if (entry) return { displayName: entry.name, displayNameSource: "inventory" };
  if (displayNameSource !== "inventory") return { displayName, displayNameSource };
  return { displayName: observed.displayName, displayNameSource: "address" };
}

function classified(
  { deviceType, classificationSource, confidence }: DeviceDescription,
  entry: InventoryEntry | null,
  observed: ObservedDescription,
): Pick<DeviceDescription, "deviceType" | "classificationSource" | "confidence"> {
  if (classificationSource === "human_confirmed") return { deviceType, classificationSource, confidence };
  const type = entry?.type ?? null;
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
  entry: InventoryEntry | null,
): Pick<DeviceDescription, "owner" | "ownerSource"> {
  if (ownerSource === "person") return { owner, ownerSource };
  const stated = entry?.owner ?? null;
  return { owner: stated, ownerSource: stated === null ? null : "inventory" };
}

function tagged(
  { tags, tagsSource }: DeviceDescription,
  entry: InventoryEntry | null,
): Pick<DeviceDescription, "tags" | "tagsSource"> {
  if (tagsSource === "person") return { tags, tagsSource };
  const stated = entry?.tags ?? [];
  return { tags: stated, tagsSource: stated.length === 0 ? null : "inventory" };
}

/** Whether two descriptions differ in any field. */
export function differs(a: DeviceDescription, b: DeviceDescription): boolean {
  const { tags: tagsA, ...restA } = a;
  const { tags: tagsB, ...restB } = b;
  const fields = Object.keys(restA) as (keyof typeof restA)[];
  return fields.some((field) => restA[field] !== restB[field]) || tagsDiffer(tagsA, tagsB);
}

function tagsDiffer(a: readonly string[], b: readonly string[]): boolean {
  return a.length !== b.length || a.some((tag, at) => tag !== b[at]);
}
