/** Ed25519 public keys (base64url, as `x` of a JWK) by the name in a licence's header. */
export type LicenseKeys = Readonly<Record<string, string>>;

/**
 * Issuers of licences. No file or variable changes them. A key stays for as long as licences signed with it
 * may be in use.
 */
export const LICENSE_KEYS: LicenseKeys = {
  "ndr-2026-1": "QwWbEuvVrcBDPv5Mm9Mz82VzrAgCv8vH8YMG5OI21Qc",
};
