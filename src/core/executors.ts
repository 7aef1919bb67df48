import type { RegisteredExecutor } from "../config/response.ts";
import { ApiError } from "../contract/request/errors.ts";
import { TokenTable } from "../kit/net/token-table.ts";

/** An authenticated executor; the tenant comes from its token, never from the request. */
export type Executor = Pick<RegisteredExecutor, "executorId" | "tenantId">;

/** The executors of this installation; they may be replaced while it runs. */
export class Executors {
  #table = new TokenTable<Executor>([]);

  constructor(executors: readonly RegisteredExecutor[]) {
    this.replace(executors);
  }

  replace(executors: readonly RegisteredExecutor[]): void {
    this.#table = new TokenTable(executors.map(({ executorId, tenantId, token }) => ({
      token: token.reveal(),
      holder: { executorId, tenantId },
    })));
  }

  get size(): number {
    return this.#table.size;
  }

  /** @throws ApiError unauthenticated, without stating the cause */
  async require(authorization: string | null): Promise<Executor> {
    const executor = await this.#table.find(authorization ?? undefined);
    if (executor === null) throw new ApiError("unauthenticated", "Send a valid executor token.");
    return executor;
  }
}
