import { readFileSync } from 'node:fs';
import { SettingProblem, type Setting } from './settings.js';

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
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT\w*|PORT|PORT_\d+_\w+)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings from the environment. An unknown name with the prefix `ASSAY_` is an error, because it is most likely
 * a misspelt setting.
 * @throws ConfigError with all errors
 */
export function loadConfig<D extends Declaration>(declaration: D, environment: Environment): ConfigOf<D> {
  const problems: string[] = unknownNames(declaration, environment);
  const entries = Object.entries(declaration).map(([property, setting]) => {
    try {
      return [property, setting.read(textOf(setting, environment))] as const;
    } catch (error) {
      if (!(error instanceof SettingProblem)) throw error;
      problems.push(`${setting.name} ${error.message}`);
      return [property, undefined] as const;
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(entries) as ConfigOf<D>;
}

function unknownNames(declaration: Declaration, environment: Environment): string[] {
  const known = new Set(Object.values(declaration).flatMap(({ name }) => [name, `${name}_FILE`]));
  return Object.keys(environment)
    .filter((name) => name.startsWith('ASSAY_') && !known.has(name) && !SERVICE_LINK.test(name))
    .map((name) => `${name} is not a setting of this process`);
}

function textOf(setting: Setting<unknown>, environment: Environment): string | undefined {
  const file = setting.secret ? environment[`${setting.name}_FILE`] : undefined;
  if (!file) return environment[setting.name];
  if (environment[setting.name]) throw new SettingProblem(`and ${setting.name}_FILE are both set`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new SettingProblem('cannot be read from the file that its _FILE setting names');
  }
}
