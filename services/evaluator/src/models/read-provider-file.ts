import { readFileSync } from 'node:fs';
import { PROVIDER_APIS, type ProviderApi, type ProviderEndpoint } from '@assay/judges';
import { ConfigError } from '@assay/runtime';

type Endpoints = ReadonlyMap<string, ProviderEndpoint>;

/** Endpoints of model providers, by `model_provider`. */
export interface ProviderFile {
  readonly providers: Endpoints;
  /** By project id. */
  readonly projects: ReadonlyMap<string, Endpoints>;
}

const FIELDS = ['api', 'url', 'apiKey', 'apiVersion'] as const;

/**
 * Reads the endpoints and keys of model providers: `{"providers": {"openai": {"api", "url", "apiKey"?, "apiVersion"?}},
 * "projects": {"<project id>": {"openai": {…}}}}`. Returns none when no file is named.
 * @throws ConfigError when the file cannot be read or is not of this form; names the field, never its value
 */
export function readProviderFile(file: string | undefined): ProviderFile {
  if (file === undefined) return { providers: new Map(), projects: new Map() };
  const { providers = {}, projects = {} } = onlyFields(parse(file), ['providers', 'projects'], 'the file');
  return {
    providers: endpointsOf(providers, 'providers'),
    projects: new Map(
      entriesOf(projects, 'projects').map(([id, own]) => [id, endpointsOf(own, `projects.${id}`)]),
    ),
  };
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    // The message of a syntax error quotes the text, which may be a key.
    throw problem(error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read');
  }
}

function endpointsOf(value: unknown, path: string): Endpoints {
  return new Map(
    entriesOf(value, path).map(([provider, endpoint]) => [
      provider,
      endpointOf(endpoint, `${path}.${provider}`),
    ]),
  );
}

function endpointOf(value: unknown, path: string): ProviderEndpoint {
  const { api, url, apiKey, apiVersion } = onlyFields(value, FIELDS, path);
  if (!isApi(api)) throw problem(`${path}.api must be one of ${PROVIDER_APIS.join(', ')}`);
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))
    throw problem(`${path}.url must be an http or https URL`);
  return {
    api,
    url: url.replace(/\/+$/, ''),
    ...optionalText('apiKey', apiKey, path),
    ...optionalText('apiVersion', apiVersion, path),
  };
}

function isApi(value: unknown): value is ProviderApi {
  return PROVIDER_APIS.some((api) => api === value);
}

function optionalText<K extends string>(name: K, value: unknown, path: string): { [name in K]?: string } {
  if (value === undefined) return {};
  if (typeof value !== 'string' || value === '') throw problem(`${path}.${name} must be a text`);
  return { [name]: value } as { [name in K]?: string };
}

function entriesOf(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw problem(`${path} must be an object`);
  return Object.entries(value);
}

function onlyFields(value: unknown, known: readonly string[], path: string): Record<string, unknown> {
  const entries = entriesOf(value, path);
  if (entries.some(([name]) => !known.includes(name)))
    throw problem(`${path} may have only the fields ${known.join(', ')}`);
  return Object.fromEntries(entries);
}

function problem(reason: string): ConfigError {
  return new ConfigError([`LLM_PROVIDERS_FILE is not a usable list of providers: ${reason}`]);
}
