import { readFileSync } from 'node:fs';
import { nearestName } from '@assay/errors';
import { SettingProblem, type Setting } from './settings.js';
import { mailProblems } from './mail-problems.js';
import { objectExportProblems } from './object-export-problems.js';
import { tlsProblems } from './tls-problems.js';

/** Settings of one process by property name. */
export type Declaration = Readonly<Record<string, Setting<unknown>>>;

/** The loaded values of a declaration. */
export type ConfigOf<D extends Declaration> = {
  readonly [K in keyof D]: D[K] extends Setting<infer T> ? T : never;
};

/** Lists all errors of a configuration. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `the configuration has ${problems.length} error${problems.length === 1 ? '' : 's'}:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
  }
}

/** Kubernetes sets variables such as `ASSAY_INGESTION_SERVICE_HOST` for services. */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT\w*|PORT_\d+_\w+)$/;
/** The value of `ASSAY_PORT` that Kubernetes sets for a service named `assay`, and of `ASSAY_QUERY_PORT` for one named `assay-query`. */
const SERVICE_LINK_VALUE = /^(tcp|udp|sctp):\/\//;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings from the environment. An unknown name with the prefix `ASSAY_` is an error, because it is most likely
 * a misspelt setting.
 * @throws ConfigError with all errors
 */
export function loadConfig<D extends Declaration>(declaration: D, environment: Environment): ConfigOf<D> {
  const problems: string[] = unknownNames(declaration, environment);
  const values = new Map<string, unknown>();
  const entries = Object.entries(declaration).map(([property, setting]) => {
    try {
      const value = setting.read(textOf(setting, environment));
      values.set(setting.name, value);
      return [property, value] as const;
    } catch (error) {
      if (!(error instanceof SettingProblem)) throw error;
      problems.push(`${setting.name} ${error.message}`);
      return [property, undefined] as const;
    }
  });
  problems.push(...tlsProblems(values), ...mailProblems(values), ...objectExportProblems(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(entries) as ConfigOf<D>;
}

/**
 * Returns a sentence for each name without the prefix `ASSAY_` that is most likely a misspelt setting of the declaration, such as
 * `REDACT_VALUE`. Names of other programs are common in an environment, so these are no errors.
 */
export function misspeltNames(declaration: Declaration, environment: Environment): string[] {
  const known = namesOf(declaration);
  return Object.keys(environment)
    .filter((name) => !name.startsWith('ASSAY_') && !known.includes(name))
    .flatMap((name) => {
      const meant = nearestName(name, known);
      return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
    });
}

/** What clients on the same machine read, as the commands of the documents do. */
const CLIENT_NAME = 'ASSAY_URL';

function unknownNames(declaration: Declaration, environment: Environment): string[] {
  const known = namesOf(declaration);
  return Object.keys(environment)
    .filter((name) => name.startsWith('ASSAY_') && !known.includes(name) && name !== CLIENT_NAME)
    .filter((name) => !isServiceLink(name, environment[name]))
    .map((name) => {
      const meant = nearestName(name, known);
      const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
      return `${name} is not a setting of this process${advice}`;
    });
}

function isServiceLink(name: string, value = ''): boolean {
  return SERVICE_LINK.test(name) || (name.endsWith('_PORT') && SERVICE_LINK_VALUE.test(value));
}

function namesOf(declaration: Declaration): string[] {
  return Object.values(declaration).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
}

function valueOf({ name }: Setting<unknown>, environment: Environment): string | undefined {
  const value = environment[name];
  return name.endsWith('_PORT') && value !== undefined && SERVICE_LINK_VALUE.test(value) ? undefined : value;
}

function textOf(setting: Setting<unknown>, environment: Environment): string | undefined {
  if (setting.onlyWith !== undefined && !environment[setting.onlyWith]) return undefined;
  const file = setting.secret ? environment[`${setting.name}_FILE`] : undefined;
  if (!file) return valueOf(setting, environment);
  if (environment[setting.name]) throw new SettingProblem(`and ${setting.name}_FILE are both set`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new SettingProblem('cannot be read from the file that its _FILE setting names');
  }
}
