// `ndr setup` on an installation in a folder, with a real OpenID provider and a scripted terminal.

import assert from "node:assert/strict";
import { runSetup, type SetupFlags, type SetupIo } from "../../../src/cli/setup/run.ts";
import type { Terminal } from "../../../src/cli/setup/terminal.ts";
import { startDevSignIn } from "../../../src/dev/sign-in.ts";
import { callNdr } from "../../support/command.ts";
import { exists, walkFiles } from "../../support/files.ts";
import { waitFor } from "../../support/transport/transport-programs.ts";

const CONF = new URL("../../../debian/conf/", import.meta.url).pathname;
const PUBLIC_URL = "https://ndr.example.org";

/** A fresh installation of the package below a folder, and a provider that knows the client. */
async function withInstallation(
  body: (
    installed: { root: string; etc: string; provider: Awaited<ReturnType<typeof startDevSignIn>> },
  ) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "ndr-setup-" });
  const provider = await startDevSignIn({ redirectUris: [`${PUBLIC_URL}/auth/callback`] });
  try {
    const etc = `${root}/etc/ndr`;
    await Deno.mkdir(`${etc}/secrets`, { recursive: true });
    for (const file of ["ndr.env", "sites.yaml", "access.yaml", "sources.yaml"]) {
      await Deno.copyFile(`${CONF}${file}`, `${etc}/${file}`);
    }
    await Deno.chmod(`${etc}/ndr.env`, 0o600);
    await Deno.writeFile(`${etc}/secrets/service.key`, crypto.getRandomValues(new Uint8Array(64)));
    for (const sensor of ["zeek", "suricata", "netflow", "unbound"]) {
      await Deno.writeTextFile(`${etc}/secrets/${sensor}.token`, `the-token-of-the-sensor-${sensor}`);
    }
    await body({ root, etc, provider });
  } finally {
    await provider.close();
    await Deno.remove(root, { recursive: true });
  }
}

/** Runs with pipes as those of the package's launcher, whose one request succeeds. */
async function launched<T>(root: string, run: () => Promise<T>): Promise<T> {
  const requests = `${root}/requests`;
  await Deno.mkdir(requests);
  const script =
    `cd ${requests} && mkfifo ask answer && touch ready && read -r request <ask && printf '0\\n\\n' >answer`;
  const launcher = new Deno.Command("/bin/sh", { args: ["-c", script], stdin: "null" }).spawn();
  try {
    await waitFor(() => exists(`${requests}/ready`), () => "no pipes");
    const result = await run();
    assert.ok((await launcher.status).success);
    return result;
  } finally {
    await Deno.remove(requests, { recursive: true });
  }
}

/** Every file below the folder, by path. */
async function contents(root: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const path of walkFiles(root)) {
    texts[path.slice(root.length)] = (await Deno.readFile(path)).toHex();
  }
  return texts;
}

const options = (issuer: string, more: string[] = []) => [
  "setup",
  "--non-interactive",
  ...[
    "--public-url",
    PUBLIC_URL,
    "--issuer",
    issuer,
    "--client-id",
    "ndr-web",
    "--administrator",
    "groups=soc",
  ],
  ...["--networks", "10.0.0.0/8,2001:db8:20::/48"],
  ...more,
];

Deno.test("ndr setup: sets a fresh installation without questions, once, and undoes it", async () => {
  await withInstallation(async ({ root, etc, provider }) => {
    const before = await contents(root);
    const env = { NDR_OIDC_CLIENT_SECRET: provider.clientSecret };
    const args = options(provider.issuer, ["--root", root]);
    const first = await launched(
      root,
      () => callNdr(args, { ...env, NDR_SETUP_REQUESTS: `${root}/requests` }),
    );
    assert.deepEqual({ code: first.code, stderr: first.stderr }, { code: 0, stderr: "" });
    const page = await Deno.readTextFile(new URL("../../../src/docs/install.md", import.meta.url));
    const shown = /^It prints:\n\n```\n(.*?)```$/ms.exec(page)?.[1];
    assert.equal(first.stdout, shown, "install.md shows what is printed");
    const shipped = await Deno.readTextFile(`${CONF}ndr.env`);
    assert.equal(
      await Deno.readTextFile(`${etc}/ndr.env`),
      shipped.replace("#NDR_PUBLIC_URL=https://ndr.example.org", `NDR_PUBLIC_URL=${PUBLIC_URL}`)
        .replace("#NDR_OIDC_ISSUER=https://login.example.org", `NDR_OIDC_ISSUER=${provider.issuer}`)
        .replace("#NDR_OIDC_CLIENT_ID=ndr\n", "NDR_OIDC_CLIENT_ID=ndr-web\n")
        .replace("#NDR_OIDC_CLIENT_SECRET=", `NDR_OIDC_CLIENT_SECRET=${provider.clientSecret}`),
    );
    assert.equal(
      await Deno.readTextFile(`${etc}/access.yaml`),
      `${await Deno.readTextFile(`${CONF}access.yaml`)}` +
        "  - { claim: groups, value: soc, tenant: main, roles: [admin, analyst, responder] }\n",
    );
    assert.match(
      await Deno.readTextFile(`${etc}/sites.yaml`),
      /^ {4}display_name: Main site\n {4}networks: \[10\.0\.0\.0\/8, "2001:db8:20::\/48"\]\n {4}# vlans:/m,
    );
    for (const file of ["ndr.env", "ndr.env.before-setup"]) {
      assert.equal((await Deno.stat(`${etc}/${file}`)).mode! & 0o777, 0o600, file);
    }

    const after = await contents(root);
    const again = await callNdr(args, env);
    assert.equal(again.code, 0);
    assert.match(again.stdout, /^Everything is set already; nothing was written\.$/m);
    // What ndr.env has need not be given again.
    assert.equal((await callNdr(["setup", "--non-interactive", "--root", root], {})).code, 0);
    assert.deepEqual(await contents(root), after);

    const undone = await callNdr(["setup", "--undo", "--root", root], {});
    assert.equal(undone.code, 0, undone.stderr);
    assert.match(undone.stdout, /^\/etc\/ndr\/ndr\.env: restored$/m);
    assert.deepEqual(await contents(root), before);
    const nothing = await callNdr(["setup", "--undo", "--root", root], {});
    assert.deepEqual([nothing.code, nothing.stderr], [1, "ndr setup: there is nothing to undo\n"]);
  });
});

Deno.test("ndr setup: an undo leaves alone what was changed since", async () => {
  await withInstallation(async ({ root, etc, provider }) => {
    await callNdr(options(provider.issuer, ["--root", root]), {
      NDR_OIDC_CLIENT_SECRET: provider.clientSecret,
    });
    const mine = `${await Deno.readTextFile(`${etc}/access.yaml`)}# mine\n`;
    await Deno.writeTextFile(`${etc}/access.yaml`, mine);
    const undone = await callNdr(["setup", "--undo", "--root", root], {});
    assert.equal(undone.code, 1);
    assert.equal(
      undone.stderr,
      "ndr setup: /etc/ndr/access.yaml was changed since and is left as it is; its former text, if it had one, is in " +
        "/etc/ndr/access.yaml.before-setup\n",
    );
    assert.equal(await Deno.readTextFile(`${etc}/access.yaml`), mine);
    assert.equal(await Deno.readTextFile(`${etc}/ndr.env`), await Deno.readTextFile(`${CONF}ndr.env`));
  });
});

Deno.test("ndr setup: says what is missing or wrong, and writes nothing", async () => {
  await withInstallation(async ({ root, etc, provider }) => {
    const before = await contents(root);
    const secret = { NDR_OIDC_CLIENT_SECRET: provider.clientSecret };
    const refuses = async (args: string[], env: Record<string, string>, ...expected: RegExp[]) => {
      const { code, stderr } = await callNdr([...args, "--root", root], env);
      assert.equal(code, 1);
      for (const pattern of expected) assert.match(stderr, pattern);
      assert.deepEqual(await contents(root), before);
    };
    await refuses(
      ["setup", "--non-interactive", "--public-url", "http://ndr.example.org", "--networks", "10.0.0.1/33"],
      {},
      /--public-url: NDR_PUBLIC_URL: expected an origin .*https/,
      /--issuer: expected to be given/,
      /--client-secret-file or NDR_OIDC_CLIENT_SECRET: expected to be given/,
      /--networks: expected networks such as 10\.0\.0\.0\/8, got "10\.0\.0\.1\/33"/,
    );
    await refuses(["setup"], {}, /there is no terminal to ask at: see --non-interactive/);
    await refuses(options("http://login.example.org"), secret, /--issuer: NDR_OIDC_ISSUER: expected .*https/);
    await refuses(
      options("http://127.0.0.1:1"),
      secret,
      /the issuer http:\/\/127\.0\.0\.1:1 cannot be reached: /,
    );
    await refuses(options(`${provider.issuer}/other`), secret, /other is no OpenID provider: .* answers 404/);
    const other = provider.issuer.replace("127.0.0.1", "localhost");
    await refuses(
      options(other),
      secret,
      new RegExp(`the issuer differs: the provider at ${other} calls itself ${provider.issuer}\\. `),
    );
    await refuses(
      options(provider.issuer),
      { NDR_OIDC_CLIENT_SECRET: "another secret" },
      /does not accept the client id ndr-web with this secret/,
    );
    // A fault that was there before stops it as well: the services would not start.
    await Deno.writeTextFile(`${etc}/response.yaml`, "response: 1\n");
    before["/etc/ndr/response.yaml"] = new TextEncoder().encode("response: 1\n").toHex();
    await refuses(
      options(provider.issuer),
      secret,
      /nothing was written/,
      /\/etc\/ndr\/response\.yaml:1:\d+: response: expected/,
    );
  });
});

/** Answers in the order of the questions, and everything that was shown. */
function scripted(answers: readonly string[]): Terminal & { shown: string[] } {
  const left = [...answers];
  const shown: string[] = [];
  return {
    shown,
    say: (line) => void shown.push(line),
    ask(question, isSecret) {
      const answer = left.shift() ?? null;
      shown.push(`${question}${isSecret ? "***" : answer}`);
      return Promise.resolve(answer);
    },
  };
}

async function answered(
  root: string,
  answers: readonly string[],
): Promise<{ isDone: boolean; shown: string[] }> {
  const terminal = scripted(answers);
  const flags: SetupFlags = { root, providerCheck: true, sensor: [], wait: 0, restart: true };
  const { say } = terminal;
  const io: SetupIo = {
    terminal,
    say,
    fail: say,
    env: () => undefined,
    configDir: "/etc/ndr",
    programs: null,
    progress: () => {},
  };
  return { isDone: await runSetup(flags, io), shown: terminal.shown };
}

Deno.test("ndr setup: asks, repeats what is wrong, and keeps what is set", async () => {
  await withInstallation(async ({ root, etc, provider }) => {
    const { isDone, shown } = await answered(root, [
      "ndr.example.org",
      PUBLIC_URL,
      provider.issuer,
      "ndr-web",
      "a wrong secret",
      "", // the issuer again
      "", // the client id again
      provider.clientSecret,
      "soc",
      "sub=248289761001",
      "",
      "yes",
    ]);
    assert.ok(isDone, shown.join("\n"));
    const text = shown.join("\n");
    assert.match(text, /org: ndr\.example\.org\n {2}NDR_PUBLIC_URL: expected an origin/);
    assert.match(text, /\*\*\*\n {2}the provider .* does not accept the client id ndr-web with this secret/);
    assert.match(text, /email=<address> \[groups=ndr-admins\]: soc\n {2}expected a claim and its value/);
    assert.ok(!text.includes(provider.clientSecret), "the secret is not shown");
    assert.match(
      await Deno.readTextFile(`${etc}/access.yaml`),
      /\{ claim: sub, value: "248289761001", tenant: main, roles: \[admin, analyst, responder\] \}\n$/,
    );

    const before = await contents(root);
    const kept = await answered(root, ["", "", "", "", "", ""]);
    assert.ok(kept.isDone);
    assert.equal(kept.shown.at(-1), "Everything is set already; nothing was written.");
    assert.ok(!kept.shown.join("\n").includes(provider.clientSecret), "the secret is not offered");
    const refused = await answered(root, ["https://other.example.org", "", "", "", "", "", "no"]);
    assert.equal(refused.isDone, false);
    assert.equal(refused.shown.at(-1), "Nothing was written.");
    assert.equal((await answered(root, ["https://other.example.org"])).isDone, false);
    assert.deepEqual(await contents(root), before);
  });
});
