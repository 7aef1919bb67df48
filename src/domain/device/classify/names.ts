// Rules for texts a device sends about itself: user agents, host names, DHCP vendor classes, SSH software.
import type { DeviceType } from "../../../contract/device/device.ts";

/** A text pattern that indicates a device type, and its weight. */
export interface NameRule {
  pattern: RegExp;
  type: DeviceType;
  weight: number;
  /** Completes the reason shown to the analyst, e.g. "a user agent of …". */
  label: string;
}

/** Operating systems named in user agents; a browser on an iPhone says "like Mac OS X". */
export const SYSTEMS: { name: string; pattern: RegExp }[] = [
  { name: "iOS", pattern: /\b(?:iPhone|iPad|iPod)\b/ },
  { name: "Android", pattern: /\bAndroid\b|\bDalvik\// },
  {
    name: "Windows",
    pattern: /\bWindows NT\b|\bWindows-Update-Agent\b|\bMicrosoft-CryptoAPI\b|\bMicrosoft BITS\b/,
  },
  { name: "macOS", pattern: /\bMacintosh\b|\bcom\.apple\.trustd\b/ },
  { name: "Linux", pattern: /\bX11; (?:[A-Z]\w+; )?Linux\b|\bX11; CrOS\b|\bDebian APT-HTTP\b|\blibdnf\b/ },
];

/** The first match applies. */
export const USER_AGENTS: NameRule[] = [
  {
    pattern:
      /\bSMART-TV\b|\bSmartTV\b|\bTizen\b|\bWeb0S\b|\bBRAVIA\b|\bGoogleTV\b|\bCrKey\b|\bAFT[A-Z]\w*\b|\bRoku\b/,
    type: "iot",
    weight: 0.7,
    label: "a television or streaming device",
  },
  {
    pattern: /\bPlayStation\b|\bNintendo\b|\bXbox\b/,
    type: "iot",
    weight: 0.7,
    label: "a game console",
  },
  { pattern: /\b(?:iPhone|iPad|iPod)\b/, type: "phone", weight: 0.6, label: "an Apple phone or tablet" },
  { pattern: /\bAndroid\b|\bDalvik\//, type: "phone", weight: 0.6, label: "Android" },
  { pattern: /\bWindows Phone\b/, type: "phone", weight: 0.6, label: "a Windows phone" },
  { pattern: /^Mozilla\/.*\bWindows NT\b/, type: "workstation", weight: 0.6, label: "a browser on Windows" },
  { pattern: /^Mozilla\/.*\bMacintosh\b/, type: "workstation", weight: 0.6, label: "a browser on macOS" },
  {
    pattern: /^Mozilla\/.*\bX11; (?:[A-Z]\w+; )?(?:Linux|CrOS)\b/,
    type: "workstation",
    weight: 0.6,
    label: "a browser on Linux",
  },
  // Servers update themselves and check certificates too, but are fewer.
  {
    pattern:
      /\bMicrosoft-CryptoAPI\b|\bWindows-Update-Agent\b|\bMicrosoft BITS\b|\bMicrosoft NCSI\b|\bWebDAV-MiniRedir\b/,
    type: "workstation",
    weight: 0.35,
    label: "a Windows component",
  },
  { pattern: /\bcom\.apple\.trustd\b/, type: "workstation", weight: 0.35, label: "a macOS component" },
  {
    pattern: /\bDebian APT-HTTP\b|\blibdnf\b|\bZYpp\b/,
    type: "server",
    weight: 0.3,
    label: "a package manager",
  },
];

/** Default names from manufacturers and installers, not those people choose. */
export const HOST_NAMES: NameRule[] = [
  {
    pattern: /^(?:desktop-[0-9a-z]{7}|laptop-[0-9a-z]{8})$/i,
    type: "workstation",
    weight: 0.6,
    label: "assigned by Windows to a PC",
  },
  { pattern: /^win-[0-9a-z]{11}$/i, type: "server", weight: 0.4, label: "assigned by Windows Server" },
  { pattern: /macbook|imac\b|mac-?mini/i, type: "workstation", weight: 0.6, label: "of an Apple computer" },
  { pattern: /iphone|ipad\b/i, type: "phone", weight: 0.6, label: "of an Apple phone or tablet" },
  {
    pattern: /^android-[0-9a-f]{8,16}$|^galaxy-|^pixel-\d/i,
    type: "phone",
    weight: 0.6,
    label: "of an Android device",
  },
  { pattern: /^(?:npi|hp)[0-9a-f]{6}$/i, type: "printer", weight: 0.7, label: "assigned by HP to a printer" },
  {
    pattern: /^br[nw][0-9a-f]{12}$/i,
    type: "printer",
    weight: 0.7,
    label: "assigned by Brother to a printer",
  },
  { pattern: /^epson[0-9a-f]{6}$/i, type: "printer", weight: 0.7, label: "assigned by Epson to a printer" },
  { pattern: /^axis-[0-9a-f]{12}$|^ip-?cam/i, type: "camera", weight: 0.7, label: "of a network camera" },
  {
    pattern: /^sep[0-9a-f]{12}$/i,
    type: "voip_phone",
    weight: 0.7,
    label: "assigned by Cisco to a desk phone",
  },
  {
    pattern:
      /^(?:esp[-_][0-9a-f]{6}|tasmota|shelly|sonos|chromecast|amazon-[0-9a-f]{9}|roku|hue-?bridge|philips-hue)/i,
    type: "iot",
    weight: 0.6,
    label: "of a smart device",
  },
];

/** DHCP option 60. */
export const VENDOR_CLASSES: NameRule[] = [
  { pattern: /^MSFT \d/, type: "workstation", weight: 0.35, label: "Windows" },
  { pattern: /^android-dhcp/i, type: "phone", weight: 0.6, label: "Android" },
  { pattern: /^udhcp /, type: "iot", weight: 0.35, label: "an embedded system" },
  { pattern: /printer|jetdirect|\bmfg:hewlett/i, type: "printer", weight: 0.6, label: "a printer" },
  {
    pattern: /ip phone|polycom|yealink|\bsnom|grandstream|\baastra|mitel|avaya/i,
    type: "voip_phone",
    weight: 0.7,
    label: "a desk phone",
  },
  { pattern: /^(?:cisco ap|arubaap|ubnt|ruckus)/i, type: "router", weight: 0.6, label: "a network device" },
];

export const SSH_SOFTWARE: NameRule[] = [
  { pattern: /^Cisco-|^ROSSSH|^HUAWEI|^Comware/i, type: "router", weight: 0.6, label: "of a network device" },
  { pattern: /^dropbear/i, type: "iot", weight: 0.3, label: "of an embedded system" },
];

/** Manufacturers' clouds, which only their devices normally contact. */
export const DEVICE_CLOUDS: ReadonlySet<string> = new Set([
  "ecobee.com",
  "ewelink.cc",
  "meethue.com",
  "netatmo.net",
  "nest.com",
  "ring.com",
  "roku.com",
  "sonos.com",
  "tplinkcloud.com",
  "tuyacn.com",
  "tuyaeu.com",
  "tuyaus.com",
  "wyzecam.com",
]);
