import type { ClickHouseClient } from '@clickhouse/client';

/** Settings of a statement by name. */
export type Settings = Readonly<Record<string, string | number>>;

/** Arguments of the HTTP interface, which the server does not list as settings. */
const INTERFACE_ARGUMENTS: readonly string[] = ['wait_end_of_query'];

/** Settings that bound a statement: it means the same with other values. */
const LIMIT = /^(max_|readonly$)/;

/** What the profile of the user says about a setting. */
export interface UserSetting {
  readonly name: string;
  readonly value: string;
  /** 1 when the user may not change it. */
  readonly fixed: number;
  /** The largest value that the user may set; null without one. */
  readonly max: string | null;
}

/**
 * Leaves out the settings that a server does not know, because a statement with one of them fails. Of the limits it leaves out those
 * that the user may not change, and lowers the others to what the user may set. The server is asked once, at the first statement; what
 * fails is asked again.
 */
export class KnownSettings {
  readonly #client: Pick<ClickHouseClient, 'query'>;
  #known: Promise<ReadonlyMap<string, UserSetting>> | undefined;

  constructor(client: Pick<ClickHouseClient, 'query'>) {
    this.#client = client;
  }

  /** Those of the settings that the user may set. @throws the client's error when the server does not answer */
  async of(settings: Settings): Promise<Settings> {
    const known = await this.#ask();
    return Object.fromEntries(
      Object.entries(settings).flatMap(([name, value]) => {
        if (INTERFACE_ARGUMENTS.includes(name)) return [[name, value]];
        const setting = known.get(name);
        if (setting === undefined) return [];
        if (!LIMIT.test(name)) return [[name, value]];
        return setting.fixed === 1 ? [] : [[name, lowered(value, setting)]];
      }),
    );
  }

  /** Reads the settings of the user anew, by name. @throws the client's error */
  async read(): Promise<ReadonlyMap<string, UserSetting>> {
    const result = await this.#client.query({
      query: 'SELECT name, value, readonly AS fixed, max FROM system.settings',
      format: 'JSONEachRow',
    });
    return new Map((await result.json<UserSetting>()).map((setting) => [setting.name, setting]));
  }

  #ask(): Promise<ReadonlyMap<string, UserSetting>> {
    this.#known ??= this.read().catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    });
    return this.#known;
  }
}

function lowered(value: string | number, { max }: UserSetting): string | number {
  return typeof value === 'number' && max !== null && value > Number(max) ? Number(max) : value;
}
