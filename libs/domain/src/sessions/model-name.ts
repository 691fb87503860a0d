/** A date, a version or a stage of a release at the end of a name. */
const SUFFIX = [
  '[-@]20[0-9]{2}-?[0-9]{2}-?[0-9]{2}',
  '[-@][0-9]{2}-20[0-9]{2}',
  '[-@][0-9]{3,4}',
  '-v[0-9]+(?::[0-9]+)*',
  '-[0-9]+:[0-9]+',
  '[-:]latest',
  '-preview(?:-[0-9]{2}-[0-9]{2})?',
].join('|');
/** Providers as libraries name them before a colon; a tag such as `llama3:8b` has another meaning. */
const PROVIDERS = [
  ...[
    'openai',
    'openai-chat',
    'openai-responses',
    'azure',
    'azure_openai',
    'azure_ai',
    'anthropic',
    'google',
  ],
  ...[
    'google_genai',
    'google_vertexai',
    'google_anthropic_vertex',
    'google-gla',
    'google-vertex',
    'vertex_ai',
  ],
  ...[
    'bedrock',
    'bedrock_converse',
    'mistral',
    'mistralai',
    'cohere',
    'groq',
    'openrouter',
    'xai',
    'deepseek',
  ],
  ...['ollama', 'fireworks', 'together', 'huggingface', 'perplexity', 'nvidia', 'ibm', 'litellm'],
].join('|');
/** Vendors of the models of a host. */
const VENDORS = [
  ...['amazon', 'anthropic', 'cohere', 'mistral', 'meta', 'deepseek', 'openai', 'ai21', 'qwen', 'writer'],
  ...['google', 'minimax', 'moonshot', 'nvidia', 'zai'],
].join('|');

/**
 * Patterns that are removed from the lower-case name of a model, in this order: path of a gateway, name of a provider before a colon,
 * region and vendor of a host, then dates and versions. In the common language of JavaScript and RE2, because the event store applies
 * them too.
 */
export const MODEL_NAME_AFFIXES: readonly string[] = [
  '^.*/',
  `^(?:${PROVIDERS}):`,
  `^(?:[a-z]{2,6}[.])?(?:${VENDORS})[.]`,
  `(?:${SUFFIX})+$`,
];
const AFFIXES = MODEL_NAME_AFFIXES.map((pattern) => new RegExp(pattern));
const LAST_SUFFIX = new RegExp(`(?:${SUFFIX})$`);
/** Longer names are compared as they are. */
export const MAX_MODEL_NAME = 200;

/**
 * Returns the name of a model without what different observers of one call write around it: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`,
 * `anthropic/claude-sonnet-4-5` and `claude-sonnet-4-5-latest` are one.
 */
export function plainModelName(model: string): string {
  if (model.length > MAX_MODEL_NAME) return model;
  return AFFIXES.reduce((name, pattern) => name.replace(pattern, ''), model.toLowerCase());
}

/** The name by which calls are compared: gateways write `claude-sonnet-4.5` for what its vendor calls `claude-sonnet-4-5`. */
export function comparedModelName(plain: string): string {
  return plain.replaceAll('.', '-');
}

/** Forms of a name beyond these have no more suffixes than vendors use. */
const MAX_FORMS = 8;

/**
 * Returns the names under which a list may have a model, the most specific first: without what stands before it, then without its
 * dates and versions one by one. The last one is its plain name, unless it has more suffixes than any vendor uses.
 */
export function modelNameForms(model: string): string[] {
  if (model.length > MAX_MODEL_NAME) return [model];
  const forms = AFFIXES.slice(0, -1).reduce(
    (names, pattern) => [...names, (names.at(-1) ?? '').replace(pattern, '')],
    [model.trim().toLowerCase()],
  );
  for (
    let last = forms.at(-1) ?? '';
    forms.length < MAX_FORMS && LAST_SUFFIX.test(last);
    last = forms.at(-1) ?? ''
  )
    forms.push(last.replace(LAST_SUFFIX, ''));
  return [...new Set(forms)];
}
