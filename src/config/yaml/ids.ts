import { z } from "zod";

/** Tenants, sensors and sites: safe in log lines, metric labels and file names without quoting. */
export const Identifier = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  "expected 1 to 64 letters, digits, dots, underscores or hyphens, a letter or digit first",
);
