// A bare Debian that runs under systemd on the network of this process.

const PATH = "/usr/sbin:/usr/bin:/sbin:/bin";
const BOOT_SECONDS = 90;
const STOP_SECONDS = 60;

export interface Result {
  status: number;
  /** Both outputs as they came. */
  output: string;
}

/** `await using` powers it off and removes it. */
export class Machine implements AsyncDisposable {
  private constructor(
    readonly root: string,
    private readonly folder: string,
    private readonly nspawn: Deno.ChildProcess,
    private readonly leader: string,
  ) {}

  /** Copies the root of a bare Debian, changes the copy, and boots it. */
  static async boot(base: string, prepare: (root: string) => Promise<void>): Promise<Machine> {
    const folder = await Deno.makeTempDir({ prefix: "ndr-machine-" });
    const root = `${folder}/root`;
    await host("cp", "-a", base, root);
    await prepare(root);
    const nspawn = new Deno.Command("systemd-nspawn", {
      args: ["--quiet", "--register=no", "--keep-unit", "--boot", `--directory=${root}`],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const leader = await until("systemd to start", BOOT_SECONDS, () => leaderOf(nspawn.pid));
    const machine = new Machine(root, folder, nspawn, leader);
    await until("the machine to boot", BOOT_SECONDS, async () => {
      const { output } = await machine.try("systemctl is-system-running");
      return /^(running|degraded)$/m.test(output) ? true : null;
    });
    return machine;
  }

  /** Runs a shell command as root. */
  async try(command: string): Promise<Result> {
    const namespaces = ["--mount", "--uts", "--ipc", "--pid", "--cgroup", "--root", "--wd"];
    const { code, stdout } = await new Deno.Command("nsenter", {
      args: [`--target=${this.leader}`, ...namespaces, "sh", "-c", `exec 2>&1; cd /root; ${command}`],
      env: { PATH, LC_ALL: "C.UTF-8", DEBIAN_FRONTEND: "noninteractive", HOME: "/root" },
      clearEnv: true,
      stderr: "inherit",
    }).output();
    return { status: code, output: new TextDecoder().decode(stdout) };
  }

  /** Output of a command that must succeed. */
  async run(command: string): Promise<string> {
    const { status, output } = await this.try(command);
    if (status !== 0) throw new Error(`${command}: status ${status}\n${output}`);
    return output;
  }

  async write(path: string, text: string, mode = 0o644): Promise<void> {
    await Deno.writeTextFile(`${this.root}${path}`, text, { mode });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.try("systemctl poweroff --no-block");
    const ended = await Promise.race([this.nspawn.status, delay(STOP_SECONDS * 1000)]);
    if (ended === undefined) this.nspawn.kill("SIGKILL");
    await this.nspawn.status;
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** The process identifier of the first process inside. */
async function leaderOf(pid: number): Promise<string | null> {
  const children = await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`).catch(() => "");
  for (const child of children.trim().split(" ").filter(Boolean)) {
    const name = await Deno.readTextFile(`/proc/${child}/comm`).catch(() => "");
    if (name.trim() === "systemd") return child;
  }
  return null;
}

/** Runs a program on this machine. */
export async function host(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, stdout: "null" }).output();
  if (!success) throw new Error(`${program} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

/** Asks again until the answer is not null. */
export async function until<T>(what: string, seconds: number, ask: () => Promise<T | null>): Promise<T> {
  const limit = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > limit) throw new Error(`waited ${seconds} s for ${what}`);
    await delay(300);
  }
}

function delay(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
