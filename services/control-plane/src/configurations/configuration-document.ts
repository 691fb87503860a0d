import type { ConfigurationResponse, CreateConfigurationRequest } from '@assay/contracts';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

type Content = Omit<ConfigurationResponse, 'id'>;

/** Configuration with two derived fields for queries. */
export interface ConfigurationFields extends ProjectOwned, Content {
  readonly env_key: string;
  readonly tags_key: string;
}
export type Configuration = Document<ConfigurationFields>;
export type ConfigurationCollection = DocumentCollection<ConfigurationFields>;

export const CONFIGURATION_COLLECTION: CollectionSpec = {
  name: 'configurations',
  unique: [],
  indexes: [
    ['project_id', 'created_at'],
    ['project_id', 'name', 'created_at'],
  ],
  filtered: ['env_key', 'tags_key'],
};

/** Returns the derived fields: the words of each list as one text. */
export function keysOf({
  env,
  tags,
}: Pick<Content, 'env' | 'tags'>): Pick<ConfigurationFields, 'env_key' | 'tags_key'> {
  return { env_key: wordsKey(env), tags_key: wordsKey(tags) };
}

/**
 * Joins words into a text that contains `wordKey(word)` exactly for the words of the list. Quotes inside a
 * word are escaped.
 */
function wordsKey(words: readonly string[]): string {
  return `,${words.map((word) => JSON.stringify(word)).join(',')},`;
}

export function wordKey(word: string): string {
  return wordsKey([word]);
}

/** Returns the parameters as they are stored: `call_type` is always present. */
export function completeParameters(sent: CreateConfigurationRequest['parameters']): Content['parameters'] {
  return { ...sent, call_type: sent.call_type ?? 'chat' };
}

export function toConfigurationResponse(configuration: Configuration): ConfigurationResponse {
  const { id, name, type, provider, parameters, env, tags, user_properties, created_at, updated_at } =
    configuration;
  return { id, name, type, provider, parameters, env, tags, user_properties, created_at, updated_at };
}

export interface ConfigurationDeps {
  readonly configurations: ConfigurationCollection;
  readonly now: () => Date;
}
