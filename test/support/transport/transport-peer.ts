// The two endpoints of real traffic, each run inside a network namespace:
//   serve ADDRESS PORT            an HTTP server that responds with a mebibyte
//   visit NAME RESOLVER PORT      resolves a name, fails to resolve another, and reads from that server

const BODY = new Uint8Array(1024 * 1024).fill(0x2e);

const [command, first = "", second = "", third = ""] = Deno.args;
if (command === "serve") {
  Deno.serve({ hostname: first, port: Number(second) }, () => new Response(BODY));
} else if (command === "visit") {
  const nameServer = { ipAddr: second, port: 53 };
  const [address] = await Deno.resolveDns(first, "A", { nameServer });
  await Deno.resolveDns(`absent.${first}`, "A", { nameServer }).catch(() => {});
  const answer = await fetch(`http://${address}:${third}/`);
  const bytes = (await answer.arrayBuffer()).byteLength;
  if (bytes !== BODY.length) throw new Error(`got ${bytes} bytes`);
} else throw new Error(`expected serve or visit, got ${command}`);
