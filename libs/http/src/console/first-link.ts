import type { ConsoleOptions } from './console-options.js';

/** Addresses that listen on every interface, which no browser can open. */
const EVERY_INTERFACE = /^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=:|$)/;

/** Returns a link that signs in once; undefined where a start prints none. The code is in the fragment, which browsers send to no server. */
export async function firstLink(
  { firstLogin, codes }: Pick<ConsoleOptions, 'firstLogin' | 'codes'>,
  baseUrl: string,
): Promise<string | undefined> {
  if (firstLogin === undefined) return undefined;
  const { projectId, createKey } = await firstLogin();
  const code = codes.create(projectId, createKey);
  return `${baseUrl.replace(EVERY_INTERFACE, '$1localhost')}/console/#code=${code}`;
}
