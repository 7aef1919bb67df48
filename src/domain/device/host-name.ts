/**
 * Normalises a host name for comparison: its first label in lower case, without the trailing `$` of machine
 * accounts. Null if it is not a valid label.
 */
export function shortHostName(name: string): string | null {
  const label = name.trim().toLowerCase().replace(/\$$/, "").split(".", 1)[0]!;
  return /^[\p{L}\p{N}_-]{1,63}$/u.test(label) ? label : null;
}

/**
 * False for names many machines share because no one chose them: defaults of systems, images and phone
 * models, and names derived from the address.
 */
export function isDistinctiveName(short: string): boolean {
  return short.length > 1 && !DEFAULT_NAMES.has(short) && !DEFAULT_FORMS.some((form) => form.test(short));
}

const DEFAULT_NAMES = new Set([
  ...["localhost", "localhost4", "localhost6", "host", "hostname", "unknown", "none", "null", "undefined"],
  ...[
    "default",
    "noname",
    "dhcp",
    "dhcp-client",
    "dhcpcd",
    "client",
    "guest",
    "user",
    "admin",
    "root",
    "test",
  ],
  ...["pc", "laptop", "desktop", "notebook", "computer", "workstation", "server", "vm", "template", "clone"],
  ...["android", "iphone", "ipad", "ipod", "ipod-touch", "watch", "apple-watch", "apple-tv", "appletv"],
  ...["homepod", "phone", "mobile", "tablet"],
  ...["mac", "imac", "macbook", "macbook-pro", "macbook-air", "mac-mini", "macmini", "mac-pro", "mac-studio"],
  ...["macbookpro", "macbookair", "macos", "darwin"],
  ...[
    "linux",
    "ubuntu",
    "ubuntu-server",
    "debian",
    "fedora",
    "centos",
    "rocky",
    "almalinux",
    "redhat",
    "rhel",
  ],
  ...[
    "arch",
    "archlinux",
    "archiso",
    "alpine",
    "kali",
    "parrot",
    "mint",
    "opensuse",
    "suse",
    "gentoo",
    "nixos",
  ],
  ...["coreos", "freebsd", "openbsd", "netbsd", "raspberrypi", "raspberry", "raspbian", "pi", "dietpi"],
  ...["openwrt", "lede", "dd-wrt", "pfsense", "opnsense", "mikrotik", "ubnt", "unifi", "vyos", "router"],
  ...[
    "switch",
    "gateway",
    "ap",
    "accesspoint",
    "camera",
    "ipcam",
    "ipcamera",
    "nvr",
    "dvr",
    "printer",
    "nas",
  ],
  ...["tv", "smarttv", "chromecast", "roku", "firetv", "playstation", "ps4", "ps5", "xbox", "nintendo"],
  ...["windows", "win", "win7", "win10", "win11", "windows10", "windows11", "vagrant", "docker", "container"],
  ...["esp", "espressif", "esp32", "esp8266", "arduino", "lwip", "busybox", "udhcpc", "wlan0", "eth0"],
]);

const DEFAULT_FORMS = [
  // The address, or a part of it.
  /^(?:ip|host|dhcp|client|node|pc|vm)?-?\d{1,3}(?:-\d{1,3}){1,3}$/,
  // Model names of phones and tablets.
  /^galaxy(?:-|$)/,
  /^pixel(?:-?\d|$)/,
  /^(?:redmi|xiaomi|poco|mi|huawei|honor|oneplus|oppo|vivo|realme|moto|nokia|xperia|lg|sm)-[a-z]?\d?/,
  // Numbered default names of copies of one system, and default user names.
  /^(?:iphone|ipad|android|macbook(?:-pro|-air)?|raspberrypi|ubuntu|debian|kali)-\d{1,3}$/,
  /^(?:user|admin|owner|guest|test)-?(?:pc|laptop|desktop|vm)$/,
  // Windows before its setup is complete: random at each start.
  /^minint-/,
];
