import { AppError } from '@assay/errors';
import type { Connection } from './connection.js';

const MAX_WAITING = 10_000;

/**
 * Pool of connections. Each serves one query at a time, so that each query sees the latest commit and ends
 * its snapshot with its last row.
 */
export class ConnectionPool {
  private readonly idle: Connection[];
  private readonly waiting: ((connection: Connection) => void)[] = [];

  constructor(private readonly connections: readonly Connection[]) {
    this.idle = [...connections];
  }

  async use<T>(action: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.acquire();
    try {
      return await action(connection);
    } finally {
      this.release(connection);
    }
  }

  /** Runs the action while no query is in progress. */
  async whileIdle<T>(action: () => Promise<T>): Promise<T> {
    const held = await Promise.all(this.connections.map(() => this.acquire(Infinity)));
    try {
      return await action();
    } finally {
      for (const connection of held) this.release(connection);
    }
  }

  private acquire(maxWaiting = MAX_WAITING): Promise<Connection> {
    const connection = this.idle.pop();
    if (connection) return Promise.resolve(connection);
    if (this.waiting.length >= maxWaiting)
      return Promise.reject(
        new AppError('OVERLOADED', 'too many queries are waiting for the document store, retry the request'),
      );
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private release(connection: Connection): void {
    const next = this.waiting.shift();
    if (next) next(connection);
    else this.idle.push(connection);
  }
}
