import { AppError, unavailable } from '@assay/errors';

/** Statements that wait for a connection at most. */
export const MAX_WAITING = 1_000;

/**
 * Lends the connections of one kind, one statement at a time each: a connection runs nothing beside its
 * statement. Waiters are served in the order of their coming.
 */
export class StatementGate<Connection> {
  readonly #idle: Connection[];
  readonly #size: number;
  readonly #waiting: Waiter<Connection>[] = [];
  readonly #drained: (() => void)[] = [];
  #closed = false;

  constructor(connections: readonly Connection[]) {
    this.#idle = [...connections];
    this.#size = connections.length;
  }

  /** @throws AppError `UNAVAILABLE` once the gate is closed, `OVERLOADED` when too many wait already */
  async run<Result>(statement: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#take();
    try {
      return await statement(connection);
    } finally {
      this.#release(connection);
    }
  }

  /** Refuses new statements and those that wait; resolves when the running ones are done. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(closedError());
    if (this.#idle.length < this.#size) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  #take(): Promise<Connection> {
    if (this.#closed) return Promise.reject(closedError());
    const connection = this.#idle.pop();
    if (connection !== undefined) return Promise.resolve(connection);
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(overloaded());
    return new Promise((acquire, refuse) => this.#waiting.push({ acquire, refuse }));
  }

  #release(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next !== undefined) return next.acquire(connection);
    this.#idle.push(connection);
    if (this.#idle.length === this.#size) for (const resolve of this.#drained.splice(0)) resolve();
  }
}

interface Waiter<Connection> {
  readonly acquire: (connection: Connection) => void;
  readonly refuse: (error: Error) => void;
}

function closedError(): Error {
  return unavailable('the event store is closed');
}

function overloaded(): Error {
  return new AppError('OVERLOADED', 'too many statements wait for the event store');
}
