/** Ed25519 public keys (base64url, as `x` of a JWK) by the name that a licence's header calls them. */
export type LicenseKeys = Readonly<Record<string, string>>;

/**
 * Who may issue licences. Nothing outside of the program changes that: no file, no variable. A key stays here for as long as
 * licences that it signed may be in use.
 */
export const LICENSE_KEYS: LicenseKeys = {
  "ndr-2026-1": "QwWbEuvVrcBDPv5Mm9Mz82VzrAgCv8vH8YMG5OI21Qc",
};
