import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from './cli-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Addresses and credentials, from the environment. A credential is read when a command needs it. */
export interface Settings {
  /** Base URL of the API, without a trailing slash. */
  readonly url: string;
  /** Base URLs of the admin ports that `doctor` asks. */
  readonly adminUrls: readonly string[];
  /** @throws CliError when there is none */
  apiKey(): string;
  /** @throws CliError when there is none */
  adminToken(): string;
}

const DEFAULT_URL = 'http://127.0.0.1:8090';
const DEFAULT_ADMIN_URL = 'http://127.0.0.1:8091';
const DEFAULT_DATA_DIR = './.assay';

/** @throws CliError for a URL that is not valid */
export function readSettings(environment: Environment): Settings {
  const url = readUrl('ASSAY_URL', environment.ASSAY_URL ?? DEFAULT_URL);
  const adminUrls = (environment.ASSAY_ADMIN_URL ?? DEFAULT_ADMIN_URL)
    .split(',')
    .map((text) => readUrl('ASSAY_ADMIN_URL', text.trim()));
  return {
    url,
    adminUrls,
    apiKey: () =>
      readSecret(environment, 'ASSAY_API_KEY') ?? missing('ASSAY_API_KEY', 'a key of the project'),
    adminToken: () =>
      readSecret(environment, 'ASSAY_ADMIN_TOKEN') ??
      tokenOfDataFolder(environment, url) ??
      missing('ASSAY_ADMIN_TOKEN', "the administrator's token"),
  };
}

function readUrl(name: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new CliError(`${name} must be an http or https URL, such as ${DEFAULT_URL}`);
  return text.replace(/\/+$/, '');
}

/** A secret is the value of its variable, or the content of the file that `<name>_FILE` names. */
function readSecret(environment: Environment, name: string): string | undefined {
  const value = environment[name] ?? readFile(environment[`${name}_FILE`], `${name}_FILE`);
  const secret = value?.trim();
  if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret))
    throw new CliError(`${name} must be one word of printable ASCII characters`);
  return secret;
}

function readFile(path: string | undefined, name: string): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CliError(`the file that ${name} names cannot be read`);
  }
}

/** The single process keeps its token in its data folder. It is sent to this machine only. */
function tokenOfDataFolder(environment: Environment, url: string): string | undefined {
  if (!/^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)) return undefined;
  try {
    const path = join(environment.ASSAY_DATA_DIR ?? DEFAULT_DATA_DIR, 'admin-token');
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function missing(name: string, what: string): never {
  throw new CliError(`set ${name} or ${name}_FILE to ${what}`);
}
