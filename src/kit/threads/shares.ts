/** Whose work holds a place. */
export interface Holder {
  tenant: string;
  person: string;
}

/** No turn came in time, or the caller is gone. */
export class NoTurn extends Error {}

/** What one tenant or one person has. */
interface Account {
  /** Places, and requests for one. */
  held: number;
  waiting: number;
  /** Number of the last turn it was given; 0 for none since it came. */
  turn: number;
}

interface Waiting {
  tenant: Account;
  person: Account;
  go: () => void;
}

/**
 * Places that tenants, and the people of each, share in turn: a free place goes to the tenant that holds the fewest and
 * was served the longest ago, and within it to the person by the same rule. One person holds at most half of the places,
 * rounded up.
 */
export class Shares {
  readonly #tenants = new Map<string, Account>();
  readonly #people = new Map<string, Account>();
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiting>();
  readonly #mostOfPerson: number;
  #free: number;
  #turn = 0;

  constructor(places: number) {
    this.#free = places;
    this.#mostOfPerson = Math.ceil(places / 2);
  }

  /**
   * Waits for a place and returns how to leave it.
   *
   * @param waitMs Most milliseconds to wait.
   * @throws NoTurn after that time, or when the signal aborts before
   */
  async enter(holder: Holder, waitMs: number, signal: AbortSignal | null = null): Promise<() => void> {
    const personKey = JSON.stringify([holder.tenant, holder.person]);
    const tenant = accountIn(this.#tenants, holder.tenant);
    const person = accountIn(this.#people, personKey);
    const forget = () => {
      forgetIdle(this.#tenants, holder.tenant);
      forgetIdle(this.#people, personKey);
    };
    tenant.waiting++;
    person.waiting++;
    try {
      await this.#turnOf(tenant, person, waitMs, signal);
    } finally {
      tenant.waiting--;
      person.waiting--;
      forget();
    }
    return () => {
      tenant.held--;
      person.held--;
      forget();
      this.#free++;
      this.#giveFree();
    };
  }

  #turnOf(tenant: Account, person: Account, waitMs: number, signal: AbortSignal | null): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { tenant, person, go: resolve };
    const giveUp = (reason: string) => {
      // Otherwise it has its place already.
      if (this.#waiting.delete(waiting)) reject(new NoTurn(reason));
    };
    const onAbort = () => giveUp("the caller is gone");
    const timer = setTimeout(() => giveUp(`no turn within ${waitMs} ms`), waitMs);
    signal?.addEventListener("abort", onAbort);
    this.#waiting.add(waiting);
    if (signal?.aborted) onAbort();
    this.#giveFree();
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    });
  }

  #giveFree(): void {
    while (this.#free > 0) {
      const next = this.#next();
      if (next === null) return;
      this.#waiting.delete(next);
      this.#free--;
      this.#turn++;
      for (const account of [next.tenant, next.person]) {
        account.held++;
        account.turn = this.#turn;
      }
      next.go();
    }
  }

  #next(): Waiting | null {
    let next: Waiting | null = null;
    for (const waiting of this.#waiting) {
      if (waiting.person.held >= this.#mostOfPerson) continue;
      if (next === null || isBefore(waiting, next)) next = waiting;
    }
    return next;
  }
}

function isBefore(one: Waiting, other: Waiting): boolean {
  return (one.tenant.held - other.tenant.held || one.tenant.turn - other.tenant.turn ||
    one.person.held - other.person.held || one.person.turn - other.person.turn) < 0;
}

function accountIn(accounts: Map<string, Account>, key: string): Account {
  let account = accounts.get(key);
  if (account === undefined) accounts.set(key, account = { held: 0, waiting: 0, turn: 0 });
  return account;
}

function forgetIdle(accounts: Map<string, Account>, key: string): void {
  const account = accounts.get(key);
  if (account?.held === 0 && account.waiting === 0) accounts.delete(key);
}
