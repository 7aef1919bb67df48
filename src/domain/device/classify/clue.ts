import type { DeviceType } from "../../../contract/device/device.ts";

/** One reason to assume a type. */
export interface Clue {
  type: DeviceType;
  /** 0 to 1. */
  weight: number;
  /** For the analyst. */
  reason: string;
}
