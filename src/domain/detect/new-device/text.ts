// Texts of the new-device detector.
import type { DetectorSite } from "../kernel/detector.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { list, within } from "../../../kit/text.ts";
import type { NewDevices } from "./state.ts";
import { titleLine } from "../../../kit/title-line.ts";

/** Devices named in a summary. */
const NAMED = 5;

export function describeNewDevices(
  { devices: { count }, listed, firstSeen, lastSeen }: NewDevices,
  network: string,
  site: DetectorSite,
): Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation"> {
  const names = listed.map(({ deviceId, ip, description }) => {
    const own = site.nameOf(deviceId);
    const name = own === ip ? ip : `${own} (${ip})`;
    return { name, full: name + description };
  });
  const when = within(firstSeen, lastSeen);
  const texts = count === 1
    ? {
      title: titleLine`New device: ${names[0]!.name}`,
      phrase: `new in ${network}`,
      summary: `A new device was seen for the first time ${when}: ${names[0]!.full}. No inventory lists it.`,
    }
    : {
      title: titleLine`At least ${count} new devices in ${network}`,
      phrase: `one of at least ${count} new devices in ${network}`,
      summary: `At least ${count} devices in ${network} were seen for the first time ${when}, including ${
        list(names.slice(0, NAMED).map(({ full }) => full))
      }. No inventory lists them.`,
    };
  return {
    ...texts,
    explanation:
      "The learning phase is complete, and no device had this address before. It is usually a new computer, a guest or a " +
      "known device with a new address, but may be an unapproved device that someone plugged in or connected over Wi-Fi. " +
      "Find the owner and add the device to the inventory; on a guest network, suppress this for the network.",
  };
}
