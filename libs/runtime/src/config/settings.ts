import { isIP } from 'node:net';

/** One setting: where it comes from, what it may be, and what it is for. */
export interface Setting<T> {
  readonly name: string;
  readonly description: string;
  /** Shown in the documentation. */
  readonly kind: string;
  /** Shown in the documentation; undefined when there is none. */
  readonly fallback: string | undefined;
  /** A secret may also come from the file that `<name>_FILE` names, and is never printed. */
  readonly secret: boolean;
  /** The value for this text, or for no text at all. @throws SettingProblem */
  readonly read: (text: string | undefined) => T;
}

/** What is wrong with a setting, as the end of a sentence that starts with its name: `must be …`. Never quotes the value. */
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
        throw new SettingProblem('must hold IP addresses and networks such as 10.0.0.0/8');
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

/** Exactly `true` or `false`: a spelling that looks like yes and means no has no place in a switch such as redaction. */
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

/** Comma-separated; empty parts are dropped. */
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
    if (parts.length === 0) throw new SettingProblem('must name at least one');
    return parts;
  });
}

/** Comma-separated origins of web pages: scheme, host and port, nothing behind them. `*` alone, or for any text of a host. */
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
        'must be a list of origins such as https://app.example.com, without a path or a slash at the end',
      );
    },
  };
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9*.[\]:_-]+$/i;

/** The same setting, but the start stops without it. */
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
