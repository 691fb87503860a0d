import { StartError, type ConfigOf, type consoleSettings } from '@assay/runtime';
import { readConsoleFiles } from './console-files.js';
import type { ConsoleOptions } from './console-options.js';
import { LoginCodes } from './login-codes.js';

export interface ConsoleOfProcess extends Pick<ConsoleOptions, 'about' | 'firstLogin' | 'people'> {
  /** Returns the secret of a process that keeps one in its data folder. */
  readonly ownSecret?: () => string;
}

/**
 * Reads the console that the settings name; undefined when they name none.
 * @throws StartError when the folder has no console, or the sessions have no secret
 */
export function openConsole(
  config: ConfigOf<typeof consoleSettings>,
  { about, firstLogin, people, ownSecret }: ConsoleOfProcess,
): ConsoleOptions | undefined {
  if (config.consoleDir === undefined) return undefined;
  const made = config.consoleSessionSecret ?? ownSecret?.();
  if (made === undefined)
    throw new StartError('CONSOLE_SESSION_SECRET is required where CONSOLE_DIR is set', { exitCode: 78 });
  return {
    files: readConsoleFiles(config.consoleDir),
    secrets: typeof made === 'string' ? [made] : made,
    allowsHttp: config.consoleAllowHttp,
    identityHeader: config.consoleIdentityHeader,
    publicOrigin: config.consoleUrl && new URL(config.consoleUrl).origin,
    people,
    codes: new LoginCodes(Date.now),
    about,
    firstLogin,
  };
}
