// Notifies systemd of a service with `Type=notify`: ready, watchdog, stopping.

/** Reports to the service manager until it is stopped. Nothing without one. */
export class ServiceManager {
  readonly #socket: Deno.DatagramConn | null = null;
  readonly #address: Deno.UnixAddr;
  #watchdog: ReturnType<typeof setInterval> | undefined;

  /** `NOTIFY_SOCKET`, `RUNTIME_DIRECTORY` and `WATCHDOG_USEC` are the manager's. */
  constructor(private readonly env: (name: string) => string | undefined = (name) => Deno.env.get(name)) {
    // A socket that begins with @ is in the abstract namespace.
    const path = env("NOTIFY_SOCKET")?.replace(/^@/, "\0") ?? "";
    this.#address = { transport: "unixpacket", path };
    const folder = env("RUNTIME_DIRECTORY");
    if (path === "" || folder === undefined) return;
    const own = `${folder}/notify`;
    try {
      Deno.removeSync(own);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    this.#socket = Deno.listenDatagram({ transport: "unixpacket", path: own });
  }

  /** From here on a process that no longer answers its timers is restarted, if the unit has `WatchdogSec`. */
  async ready(): Promise<void> {
    await this.#send("READY=1");
    const microseconds = Number(this.env("WATCHDOG_USEC") ?? 0);
    // Half of the time that the manager waits.
    if (microseconds > 0) {
      this.#watchdog = setInterval(() => void this.#send("WATCHDOG=1"), microseconds / 2000);
    }
  }

  async stopping(): Promise<void> {
    clearInterval(this.#watchdog);
    await this.#send("STOPPING=1");
    this.#socket?.close();
  }

  async #send(text: string): Promise<void> {
    // A manager that is gone must not end the service.
    await this.#socket?.send(new TextEncoder().encode(text), this.#address).catch(() => {});
  }
}
