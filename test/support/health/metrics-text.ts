// A strict parser of the Prometheus text format: anything unknown is an error.

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface MetricsText {
  /** Type by name, in text order. */
  types: Map<string, string>;
  help: Map<string, string>;
  samples: Sample[];
}

/** Throws for anything but HELP, TYPE and sample lines, for a duplicate series, and for a split family. */
export function parseMetrics(text: string): MetricsText {
  if (!text.endsWith("\n")) throw new Error("the last line is not terminated");
  const parsed: MetricsText = { types: new Map(), help: new Map(), samples: [] };
  const series = new Set<string>();
  let family = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment) {
      const [, kind, name, rest] = comment as unknown as [string, string, string, string];
      const known = kind === "HELP" ? parsed.help : parsed.types;
      if (known.has(name)) throw new Error(`twice: ${line}`);
      known.set(name, rest);
      family = name;
      continue;
    }
    const sample = parseSample(line);
    if (sample.name !== family) throw new Error(`outside its family: ${line}`);
    const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    if (series.has(key)) throw new Error(`duplicate series: ${line}`);
    series.add(key);
    parsed.samples.push(sample);
  }
  return parsed;
}

/** The samples of a metric whose labels include all the given ones. */
export function samplesOf(
  { samples }: MetricsText,
  name: string,
  labels: Record<string, string> = {},
): Sample[] {
  return samples.filter((sample) =>
    sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  );
}

/** The value of the only sample with these labels; undefined if there is none. */
export function valueOf(
  text: MetricsText,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = samplesOf(text, name, labels);
  if (found.length > 1) throw new Error(`${found.length} samples of ${name} ${JSON.stringify(labels)}`);
  return found[0]?.value;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\\\": "\\", '\\"': '"', "\\n": "\n" };

function parseSample(line: string): Sample {
  const head = /^([a-zA-Z_:][a-zA-Z0-9_:]*)/.exec(line);
  if (!head) throw new Error(`no sample: ${JSON.stringify(line)}`);
  const sample: Sample = { name: head[1]!, labels: {}, value: NaN };
  let rest = line.slice(sample.name.length);
  if (rest.startsWith("{")) {
    rest = rest.slice(1);
    while (!rest.startsWith("}")) {
      const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\p{Cc}]|\\[\\"n])*)"(,(?!\})|(?=\}))/u.exec(rest);
      if (!label || label[1]! in sample.labels) throw new Error(`bad labels: ${JSON.stringify(line)}`);
      sample.labels[label[1]!] = label[2]!.replace(/\\[\\"n]/g, (escape) => ESCAPES[escape]!);
      rest = rest.slice(label[0].length);
    }
    rest = rest.slice(1);
  }
  const value = /^ ([-+]?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|Inf)|NaN)$/.exec(rest);
  if (!value) throw new Error(`bad value: ${JSON.stringify(line)}`);
  sample.value = Number(value[1]!.replace("Inf", "Infinity"));
  return sample;
}
