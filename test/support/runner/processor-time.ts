/** Processor time by the files of Linux; 0 on other systems. */

/** The unit of these files on every architecture that Deno runs on. */
const TICKS_PER_SECOND = 100;

interface ProcessorTime {
  own: number;
  /** Of its ended children, as far as it and they have waited for them. */
  children: number;
}

/** Seconds that a process (`self`: this one) has used. */
export function processorTime(pid: string): ProcessorTime {
  let stat: string;
  try {
    stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  } catch {
    return { own: 0, children: 0 };
  }
  // The name, in parentheses, may contain spaces.
  const [utime, stime, cutime, cstime] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 15).map(
    Number,
  );
  return { own: (utime! + stime!) / TICKS_PER_SECOND, children: (cutime! + cstime!) / TICKS_PER_SECOND };
}

/** Seconds of a PostgreSQL server that `startPostgres` started and its ended connections; 0 of another. */
export function serverTime(url: string): number {
  const folder = decodeURIComponent(/[?&]host=([^&]*)/.exec(url)?.[1] ?? "");
  try {
    const [pid] = Deno.readTextFileSync(`${folder}/data/postmaster.pid`).split("\n");
    const { own, children } = processorTime(pid!);
    return own + children;
  } catch {
    return 0;
  }
}

let counted = 0;

/** Seconds of the children that have ended since the last call; right for one child if each end is followed by a call. */
export function endedSinceLastCall(): number {
  const before = counted;
  counted = processorTime("self").children;
  return counted - before;
}

/** Measures the idle share of the machine's processor time. */
export class IdleMeter {
  #last = machineTicks();

  /** From 0 to 1, since the last call. */
  read(): number {
    const before = this.#last;
    this.#last = machineTicks();
    const all = this.#last.all - before.all;
    return all === 0 ? 0 : (this.#last.idle - before.idle) / all;
  }
}

function machineTicks(): { idle: number; all: number } {
  let stat: string;
  try {
    stat = Deno.readTextFileSync("/proc/stat");
  } catch {
    return { idle: 0, all: 0 };
  }
  // user, nice, system, idle, and what waits for disks, interrupts and other machines.
  const ticks = stat.split("\n", 1)[0]!.split(/ +/).slice(1, 9).map(Number);
  return { idle: ticks[3]!, all: ticks.reduce((sum, count) => sum + count, 0) };
}
