/** The part of the detectors' documentation about one of them; null if it has none. */
export function detectorSection(page: string, model: string): { title: string; text: string } | null {
  const named = `- Model: \`${model}\``;
  const section = page.split(/^## /m).slice(1).find((one) =>
    one.split("\n").some((line) => line === named || line.startsWith(`${named},`))
  );
  if (section === undefined) return null;
  const end = section.indexOf("\n");
  return { title: section.slice(0, end).trim(), text: section.slice(end + 1).trim() };
}

/** What a detector's finding means and what to check next, of the detector's section. */
export function detectorGuide(section: string): string {
  return /^What it means: .*?(?=\n\nReports:)/ms.exec(section)?.[0] ?? "";
}
