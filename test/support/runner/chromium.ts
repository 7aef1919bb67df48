import { exists } from "../files.ts";
import { messageOf } from "../../../src/kit/errors.ts";

/** The headless one first: the same browser without its windows, a quarter less work. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const TOOLS = `${import.meta.dirname}/../../../.tools/`;

/** Unpacks the browser into the temporary folder; the variable makes it unpack the libraries it needs as well. */
const UNPACK = `import chromium from "npm:@sparticuz/chromium@153.0.0"; await chromium.executablePath();`;
const UNPACK_ENV = {
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x",
  DENO_DIR: `${TOOLS}packages`,
  NO_COLOR: "1",
};

/** The start of a launcher that works after the checkout has moved. */
const HERE = `#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\n`;

/**
 * Returns the path of a Chromium: the one `NDR_TEST_CHROMIUM` names, an installed one, or a headless one from npm. Null
 * if there is none; the reason is on standard error.
 */
export async function findChromium(): Promise<string | null> {
  const given = Deno.env.get("NDR_TEST_CHROMIUM");
  if (given) return given;
  for (const folder of ["/usr/bin", ...(Deno.env.get("PATH") ?? "").split(":")]) {
    for (const name of NAMES) {
      if (folder !== "" && (await exists(`${folder}/${name}`))) return `${folder}/${name}`;
    }
  }
  try {
    return await chromiumFromNpm();
  } catch (error) {
    console.error(`Chromium from npm cannot be used: ${messageOf(error)}`);
    return null;
  }
}

async function chromiumFromNpm(): Promise<string> {
  if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") {
    throw new Error("it supports only Linux on x86-64");
  }
  const folder = `${TOOLS}chromium`;
  const launcher = `${folder}/launch`;
  if (await exists(launcher)) return launcher;

  const draft = `${folder}.partial`;
  await Deno.remove(draft, { recursive: true }).catch(() => {});
  await Deno.mkdir(draft, { recursive: true });
  const unpacked = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-config", "--no-lock", UNPACK],
    cwd: "/",
    env: { ...UNPACK_ENV, TMPDIR: draft },
    signal: AbortSignal.timeout(300_000),
  }).output();
  if (!unpacked.success) throw new Error("cannot fetch or unpack npm:@sparticuz/chromium");

  const libraries = `LD_LIBRARY_PATH="$here/al2023/lib" `;
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.rename(draft, folder);
  // Prefers the libraries of the machine to those of the package.
  for (const prefix of ["", libraries]) {
    await Deno.writeTextFile(launcher, `${HERE}${prefix}exec "$here/chromium" "$@"\n`, { mode: 0o755 });
    const trial = await new Deno.Command(launcher, { args: ["--version"] }).output();
    if (trial.success) return launcher;
  }
  await Deno.remove(launcher);
  throw new Error("the browser does not start on this machine");
}
