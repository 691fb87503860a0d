import { isIP } from 'node:net';

/** One setting: its environment variable, its type and its description. */
export interface Setting<T> {
  readonly name: string;
  readonly description: string;
  /** Shown in the documentation. */
  readonly kind: string;
  /** Shown in the documentation; undefined when there is none. */
  readonly fallback: string | undefined;
  /** A secret may also be read from the file named by `<name>_FILE`, and is never printed. */
  readonly secret: boolean;
  /** Name of another setting; this one is ignored where that is not set. */
  readonly onlyWith?: string;
  /** Returns the value of this text, or the default without a text. @throws SettingProblem */
  readonly read: (text: string | undefined) => T;
}

/** Error of a setting. The message continues a sentence that starts with the name: `must be …`. Never contains the value. */
export class SettingProblem extends Error {}

interface Described {
  readonly description: string;
}

export function text<D extends string | undefined = undefined>(
  name: string,
  options: Described & { default?: D; minLength?: number },
): Setting<string | D> {
  return setting(name, 'text', options, (value) => {
    if (value.length < (options.minLength ?? 1))
      throw new SettingProblem(`must have at least ${options.minLength ?? 1} characters`);
    return value;
  });
}

export function secret(
  name: string,
  options: Described & { minLength?: number },
): Setting<string | undefined> {
  return { ...text(name, options), kind: 'secret', secret: true };
}

export function integer<D extends number | undefined = undefined>(
  name: string,
  options: Described & { default?: D; min: number; max: number },
): Setting<number | D> {
  return setting(name, `integer ${options.min} to ${options.max}`, options, (value) => {
    const number = /^-?\d{1,15}$/.test(value) ? Number(value) : NaN;
    if (!(number >= options.min && number <= options.max)) {
      throw new SettingProblem(`must be an integer from ${options.min} to ${options.max}`);
    }
    return number;
  });
}

/** Comma-separated IP addresses and networks such as `10.0.0.0/8`. */
export function networks(name: string, options: Described): Setting<readonly string[]> {
  const anyTexts = list(name, { ...options, default: [] });
  return {
    ...anyTexts,
    kind: 'comma-separated addresses and networks',
    read: (value) => {
      const found = anyTexts.read(value);
      if (!found.every(isNetwork))
        throw new SettingProblem('must be a list of IP addresses and networks such as 10.0.0.0/8');
      return found;
    },
  };
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Exactly `true` or `false`: a misread spelling must not switch off redaction, for example. */
export function flag(name: string, options: Described & { default: boolean }): Setting<boolean> {
  return setting(name, '`true` or `false`', options, (value) => {
    if (value !== 'true' && value !== 'false') throw new SettingProblem('must be true or false');
    return value === 'true';
  });
}

export function choice<C extends string, D extends C | undefined = undefined>(
  name: string,
  choices: readonly C[],
  options: Described & { default?: D },
): Setting<C | D> {
  return setting(name, choices.map((one) => `\`${one}\``).join(', '), options, (value) => {
    const found = choices.find((one) => one === value);
    if (found === undefined) throw new SettingProblem(`must be one of ${choices.join(', ')}`);
    return found;
  });
}

/** An absolute http or https URL, without a trailing slash. */
export function httpUrl<D extends string | undefined = undefined>(
  name: string,
  options: Described & { default?: D },
): Setting<string | D> {
  return setting(name, 'URL', options, (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) throw new SettingProblem('must be an http or https URL');
    return value.replace(/\/+$/, '');
  });
}

/** URL of a mail server, with the credentials: a secret. */
export function smtpUrl(name: string, options: Described): Setting<string | undefined> {
  const any = secret(name, options);
  return {
    ...any,
    read: (value) => {
      const found = any.read(value);
      if (found === undefined || isSmtpUrl(found)) return found;
      throw new SettingProblem('must be an smtp or smtps URL with a host');
    },
  };
}

function isSmtpUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}

/** Comma-separated list; empty items are ignored. */
export function list(
  name: string,
  options: Described & { default: readonly string[] },
): Setting<readonly string[]> {
  const split = (value: string) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return setting(name, 'comma-separated list', options, (value) => {
    const parts = split(value);
    if (parts.length === 0) throw new SettingProblem('must have at least one item');
    return parts;
  });
}

/** Comma-separated origins of web pages: scheme, host and port. `*` alone matches all, within a host any text. */
export function origins(
  name: string,
  options: Described & { default: readonly string[] },
): Setting<readonly string[]> {
  const listed = list(name, options);
  return {
    ...listed,
    kind: 'comma-separated origins',
    read: (value) => {
      const parts = listed.read(value);
      if (parts.every((part) => part === '*' || ORIGIN.test(part))) return parts;
      throw new SettingProblem(
        'must be a list of origins such as https://app.example.com, without a path or a trailing slash',
      );
    },
  };
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9*.[\]:_-]+$/i;

/** Makes a setting mandatory. */
export function required<T>(optional: Setting<T | undefined>): Setting<T> {
  return {
    ...optional,
    read: (value) => {
      const found = optional.read(value);
      if (found === undefined) throw new SettingProblem('is required');
      return found;
    },
  };
}

function setting<T, D>(
  name: string,
  kind: string,
  options: Described & { default?: D },
  parse: (value: string) => T,
): Setting<T | D> {
  const fallback = options.default;
  return {
    name,
    kind,
    description: options.description,
    fallback:
      fallback === undefined
        ? undefined
        : Array.isArray(fallback)
          ? fallback.join(',')
          : `${fallback as string}`,
    secret: false,
    read: (value) => (value === undefined || value === '' ? (fallback as D) : parse(value)),
  };
}
