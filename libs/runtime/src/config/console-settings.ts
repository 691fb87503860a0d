import { SettingProblem, flag, httpUrl, secret, text, type Setting } from './settings.js';

const MIN_SECRET = 32;
const HEADER_NAME = /^[a-z0-9-]{1,100}$/;

/** Settings of a process that serves the console. */
export const consoleSettings = {
  consoleDir: text('CONSOLE_DIR', {
    description:
      'Folder with the built console, which is then served at `/console`; without it there is no console',
  }),
  consoleSessionSecret: secrets('CONSOLE_SESSION_SECRET', {
    description:
      'Secret of at least 32 characters that encrypts the sessions of the console, the same in every process that serves it. While it is replaced, the new one and the former one, separated by a comma. The single process makes one',
  }),
  consoleAllowHttp: flag('CONSOLE_ALLOW_HTTP', {
    default: false,
    description:
      'Let people sign in to the console over plain HTTP at other addresses than the loopback: their keys then cross the network unencrypted',
  }),
  consoleUrl: origin('CONSOLE_URL', {
    description:
      'Address at which browsers open the console, such as `https://assay.example.com`, to which the identity provider sends people back; without it, that of their requests',
  }),
  consoleIdentityHeader: headerName('CONSOLE_IDENTITY_HEADER', {
    description:
      'Header in which an authenticating proxy of `TRUSTED_PROXIES` states the name of the person, such as `x-forwarded-user`; from other addresses it is ignored',
  }),
} as const;

/** One or two secrets, the newest first. */
function secrets(
  name: string,
  options: { description: string },
): Setting<readonly [string, ...string[]] | undefined> {
  const one = secret(name, options);
  return {
    ...one,
    read: (value) => {
      const [newest, ...former] =
        one
          .read(value)
          ?.split(',')
          .map((part) => part.trim()) ?? [];
      if (newest === undefined) return undefined;
      if (former.length > 1 || [newest, ...former].some((part) => part.length < MIN_SECRET))
        throw new SettingProblem(
          `must be a secret of at least ${MIN_SECRET} characters, or two separated by a comma`,
        );
      return [newest, ...former];
    },
  };
}

/** An address without a path. */
function origin(name: string, options: { description: string }): Setting<string | undefined> {
  const one = httpUrl(name, options);
  return {
    ...one,
    read: (value) => {
      const found = one.read(value);
      if (found !== undefined && new URL(found).origin !== found.toLowerCase())
        throw new SettingProblem('must be an http or https URL without a path');
      return found;
    },
  };
}

function headerName(name: string, options: { description: string }): Setting<string | undefined> {
  const one = text(name, options);
  return {
    ...one,
    kind: 'name of a header',
    read: (value) => {
      const found = one.read(value)?.toLowerCase();
      if (found !== undefined && !HEADER_NAME.test(found))
        throw new SettingProblem('must be the name of a header such as x-forwarded-user');
      return found;
    },
  };
}
