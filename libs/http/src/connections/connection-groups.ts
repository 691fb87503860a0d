import type { Duplex } from 'node:stream';
import { accountOf } from '../request/authenticated-connections.js';

/** Connections, least recently used first. */
export type ConnectionGroup = ReadonlySet<Duplex>;

/** Connections by a key. A group exists as long as it has one. */
class Groups {
  readonly #byKey = new Map<string, Set<Duplex>>();

  add(key: string, socket: Duplex): void {
    let group = this.#byKey.get(key);
    if (group === undefined) this.#byKey.set(key, (group = new Set()));
    group.add(socket);
  }

  remove(key: string, socket: Duplex): void {
    const group = this.#byKey.get(key);
    group?.delete(socket);
    if (group?.size === 0) this.#byKey.delete(key);
  }

  of(key: string): ConnectionGroup {
    return this.#byKey.get(key) ?? new Set();
  }

  all(): Iterable<ConnectionGroup> {
    return this.#byKey.values();
  }

  entries(): Iterable<readonly [key: string, group: ConnectionGroup]> {
    return this.#byKey;
  }
}

/** Open connections by the address of the client, and by the project or other caller that has authenticated on them last. */
export class ConnectionGroups {
  readonly #keys = new Map<Duplex, { readonly address: string; readonly account: string | undefined }>();
  readonly #unauthenticated = new Set<Duplex>();
  readonly #byAddress = new Groups();
  readonly #unauthenticatedByAddress = new Groups();
  readonly #byAccount = new Groups();

  get unauthenticated(): ConnectionGroup {
    return this.#unauthenticated;
  }

  ofAddress(address: string): ConnectionGroup {
    return this.#byAddress.of(address);
  }

  /** Adds a connection, or makes it the most recently used one. Call it again when another caller has authenticated on it. */
  use(socket: Duplex, address: string): void {
    this.remove(socket);
    const account = accountOf(socket);
    this.#keys.set(socket, { address, account });
    this.#byAddress.add(address, socket);
    if (account === undefined) {
      this.#unauthenticated.add(socket);
      this.#unauthenticatedByAddress.add(address, socket);
    } else this.#byAccount.add(account, socket);
  }

  remove(socket: Duplex): void {
    const keys = this.#keys.get(socket);
    if (keys === undefined) return;
    this.#keys.delete(socket);
    this.#byAddress.remove(keys.address, socket);
    if (keys.account === undefined) {
      this.#unauthenticated.delete(socket);
      this.#unauthenticatedByAddress.remove(keys.address, socket);
    } else this.#byAccount.remove(keys.account, socket);
  }

  /** Returns the connections without authentication of the address that has most of them, of those that `mayBe` accepts. */
  largestUnauthenticated(mayBe: (address: string) => boolean): ConnectionGroup {
    let largest: ConnectionGroup = new Set();
    for (const [address, group] of this.#unauthenticatedByAddress.entries())
      if (group.size > largest.size && mayBe(address)) largest = group;
    return largest;
  }

  /** Returns the connections of each caller that has more than this many. */
  withMoreThan(count: number): readonly ConnectionGroup[] {
    return [...this.#byAccount.all()].filter(({ size }) => size > count);
  }

  /** Returns the connections without authentication and those of each caller, the largest group first. */
  largestFirst(): readonly ConnectionGroup[] {
    return [this.#unauthenticated, ...this.#byAccount.all()].sort((a, b) => b.size - a.size);
  }
}
