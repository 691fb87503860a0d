import type { ClickHouseClient } from '@clickhouse/client';

/** Settings of a statement by name. */
export type Settings = Readonly<Record<string, string | number>>;

/** Arguments of the HTTP interface, which the server does not list as settings. */
const INTERFACE_ARGUMENTS: readonly string[] = ['wait_end_of_query'];

/**
 * Leaves out the settings that a server does not know, because a statement with one of them fails. The server is asked once, at the
 * first statement; what fails is asked again.
 */
export class KnownSettings {
  readonly #client: Pick<ClickHouseClient, 'query'>;
  #names: Promise<ReadonlySet<string>> | undefined;

  constructor(client: Pick<ClickHouseClient, 'query'>) {
    this.#client = client;
  }

  /** Those of the settings that the server knows. @throws the client's error when the server does not answer */
  async of(settings: Settings): Promise<Settings> {
    const names = await this.#known();
    const isKnown = ([name]: [string, unknown]) => names.has(name) || INTERFACE_ARGUMENTS.includes(name);
    const entries = Object.entries(settings);
    return entries.every(isKnown) ? settings : Object.fromEntries(entries.filter(isKnown));
  }

  #known(): Promise<ReadonlySet<string>> {
    this.#names ??= this.#ask().catch((error: unknown) => {
      this.#names = undefined;
      throw error;
    });
    return this.#names;
  }

  async #ask(): Promise<ReadonlySet<string>> {
    const result = await this.#client.query({
      query: 'SELECT name FROM system.settings',
      format: 'JSONEachRow',
    });
    return new Set((await result.json<{ name: string }>()).map(({ name }) => name));
  }
}
