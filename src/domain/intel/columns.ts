import type { Annotation } from "./intel-builder.ts";
import type { Hint } from "./read-indicator.ts";
import { type Separator, splitRow } from "./split-row.ts";

// Recognises table columns by the names publishers use: abuse.ch (URLhaus, Feodo Tracker, SSLBL, ThreatFox),
// MISP's CSV export, AlienVault OTX, Zeek's intelligence files, and similar tables.

export interface Columns {
  separator: Separator;
  /**
   * Columns that may hold an indicator, in order of preference, with its kind; null if the value's form or
   * `type` decides.
   */
  values: readonly { at: number; hint: Hint }[];
  type: number | null;
  /** MISP only: whether an attribute is meant for detection. */
  detect: number | null;
  descriptions: readonly number[];
  tags: number | null;
  confidence: number | null;
}

/** A row's indicator and its annotation. `hint` is `other` for kinds that network records do not show. */
interface Row {
  value: string;
  hint: Hint | "other";
  annotation: Annotation;
}

/** In order of preference: a table with a URL and its host's address is about the URL. */
const VALUE_NAMES: readonly (readonly [RegExp, Hint])[] = [
  [/^(indicator|ioc|iocvalue|value|observable|indicatorvalue)$/, null],
  [/^(url|urls|maliciousurl)$/, "url"],
  [
    /^((dst|dest|src|remote|c2|malicious)?ip(address|v4|v6)?|cidr|network|subnet|netblock|prefix|address)$/,
    "host",
  ],
  [/^(domain|domains|domainname|hostname|host|fqdn)$/, "host"],
  [/^ja3(md5|hash|fingerprint|digest)?$/, "ja3"],
  [/^ja4(hash|fingerprint)?$/, "ja4"],
  [
    /^((cert(ificate)?|ssl|x509)?(fingerprint|hash)?(sha1|sha256)|cert(ificate)?(fingerprint|hash)?)$/,
    "certificate",
  ],
];

const TYPE_NAME = /^(type|ioctype|indicatortype)$/;
const DETECT_NAME = /^toids$/;
/** Most specific first. */
const DESCRIPTION_NAMES = [
  /^(malwareprintable|malware|malwarefamily|family)$/,
  /^(listingreason|reason|signature)$/,
  /^(threat|threattype|threatname)$/,
  /^(description|metadesc|comment)$/,
];
const TAG_NAME = /^(tags?|attributetags?)$/;
const CONFIDENCE_NAME = /^(confidence|confidencelevel|metaconfidence|metacifconfidence)$/;

const HINTS: readonly (readonly [RegExp, Hint])[] = [
  [
    /^(ip(v4|v6)?(dst|src)?(port)?|(ip)?(v4|v6)?addr(ess)?|cidr|subnet|netblock|network|inteladdr|intelsubnet)$/,
    "host",
  ],
  [/^(domain(name)?|hostname|host|fqdn|domainip|hostnameport|inteldomain)$/, "host"],
  [/^(url|intelurl)$/, "url"],
  [/^(ja3(md5|hash|fingerprint|fingerprintmd5)?|intelja3)$/, "ja3"],
  [/^(ja4(hash|fingerprint)?|intelja4)$/, "ja4"],
  [
    /^(x509fingerprintsha(1|256)|sslcertfingerprint|(ssl)?cert(ificate)?(fingerprint|hash)?(sha1|sha256)?|intelcerthash)$/,
    "certificate",
  ],
];

const MAX_HEADER_NAME = 40;
const MAX_DESCRIPTION = 200;
const NOTHING = /^(|-|none|null|unknown|n\/a)$/i;

/**
 * The columns a line names, or null if it is not a header. In a comment only single words count as names;
 * otherwise any sentence with a comma would be a header.
 */
export function readHeader(line: string, inComment: boolean): Columns | null {
  const separator = separatorOf(line);
  const fields = splitRow(line, separator);
  // A lone `domain` is a header; a lone `host.name` may be an indicator.
  if (fields.length < 2 && (inComment || line.includes("."))) return null;
  const form = inComment ? /^[A-Za-z][\w.:/-]*$/ : /^[A-Za-z][\w.:/ -]*$/;
  if (!fields.every((field) => field.length <= MAX_HEADER_NAME && form.test(field))) return null;
  const names = fields.map(plain);
  const values = VALUE_NAMES.flatMap(([pattern, hint]) =>
    names.flatMap((name, at) => pattern.test(name) ? [{ at, hint }] : [])
  );
  if (values.length === 0) return null;
  return {
    separator,
    values,
    type: columnOf(names, TYPE_NAME),
    detect: columnOf(names, DETECT_NAME),
    descriptions: DESCRIPTION_NAMES.flatMap((pattern) => columnOf(names, pattern) ?? []),
    tags: columnOf(names, TAG_NAME),
    confidence: columnOf(names, CONFIDENCE_NAME),
  };
}

/** A row's indicator and annotation, or null if it has no value. */
export function readRow(line: string, columns: Columns): Row | null {
  const fields = splitRow(line, columns.separator);
  const place = columns.values.find(({ at }) => !NOTHING.test(fields[at] ?? ""));
  if (place === undefined) return null;
  const type = columns.type === null ? "" : fields[columns.type] ?? "";
  const detect = columns.detect === null ? "" : fields[columns.detect] ?? "";
  const hint = /^(0|false|no)$/i.test(detect) ? "other" : type === "" ? place.hint : hintOf(type);
  return {
    value: fields[place.at]!,
    hint,
    annotation: {
      description: description(fields, columns),
      confidence: confidence(columns.confidence === null ? "" : fields[columns.confidence] ?? ""),
    },
  };
}

/** The character that separates the fields of a line. */
export function separatorOf(line: string): Separator {
  if (line.includes("\t")) return "\t";
  return line.includes(",") || !line.includes(";") ? "," : ";";
}

function hintOf(type: string): Hint | "other" {
  const name = plain(type);
  return HINTS.find(([pattern]) => pattern.test(name))?.[1] ?? "other";
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function columnOf(names: readonly string[], pattern: RegExp): number | null {
  const at = names.findIndex((name) => pattern.test(name));
  return at === -1 ? null : at;
}

function description(fields: readonly string[], columns: Columns): string | null {
  const main = columns.descriptions.map((at) => fields[at] ?? "").find((text) => !NOTHING.test(text)) ?? "";
  const tags = columns.tags === null ? "" : fields[columns.tags] ?? "";
  if (NOTHING.test(tags)) return shortened(main);
  return shortened(main === "" ? tags : `${main} (${tags})`);
}

/** A description as stored: one line, at most `MAX_DESCRIPTION` characters; null if empty. */
export function shortened(text: string): string | null {
  // deno-lint-ignore no-control-regex
  const line = text.slice(0, MAX_DESCRIPTION).replace(/[\x00-\x1f\x7f]/g, " ").trim();
  return line === "" ? null : line;
}

/** A confidence as a share: 0 to 100, or 0 to 1 with a decimal point. */
function confidence(text: string): number | null {
  if (!/^\d{1,3}(\.\d{1,6})?$/.test(text)) return null;
  const number = Number(text);
  const share = text.includes(".") && number <= 1 ? number : number / 100;
  return share <= 1 ? share : null;
}
