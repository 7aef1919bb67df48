import { getDomain } from "tldts";

/** The same reading as the server's, so that both name one domain. */
const AS_GIVEN = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  mixedInputs: false,
  detectIp: false,
};

/** The domain that a name was registered under: `www.example.co.uk` gives `example.co.uk`; null if there is none. */
export function registeredDomain(name: string): string | null {
  return name.endsWith(".arpa") || /\.\d*$/.test(name) ? null : getDomain(name.toLowerCase(), AS_GIVEN);
}
