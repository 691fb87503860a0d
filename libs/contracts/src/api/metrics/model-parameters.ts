import { Type } from '@sinclair/typebox';
import type { ModelParameters } from '@assay/domain';
import { numberIn } from '../../schema/resource-fields.js';
import { integer } from '../../schema/fields.js';

const MAX_TOKENS = 1_000_000;
const MAX_STOPS = 4;
const MAX_STOP_LENGTH = 200;

const tokens = (description: string) => integer(description, 500, { minimum: 1, maximum: MAX_TOKENS });
const penalty = (description: string) => numberIn(description, 0, { minimum: -2, maximum: 2 });
const stopText = { type: 'string', minLength: 1, maxLength: MAX_STOP_LENGTH } as const;

const properties = {
  temperature: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Temperature; 0 when absent. Null sends none, for models that accept none.',
      examples: [0],
      minimum: 0,
      maximum: 2,
    }),
  ),
  top_p: Type.Optional(
    numberIn('Share of the probability that tokens are chosen from.', 1, { minimum: 0, maximum: 1 }),
  ),
  max_tokens: Type.Optional(tokens('Limit of the tokens of a reply.')),
  max_completion_tokens: Type.Optional(
    tokens('The same limit for models of OpenAI that reason; other APIs get it as `max_tokens`.'),
  ),
  frequency_penalty: Type.Optional(penalty('Penalty of frequent tokens, for OpenAI-compatible APIs.')),
  presence_penalty: Type.Optional(penalty('Penalty of tokens that occurred, for OpenAI-compatible APIs.')),
  seed: Type.Optional(
    integer('Seed, for OpenAI-compatible APIs.', 7, {
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
  stop: Type.Optional(
    Type.Unsafe<string | string[]>({
      type: ['string', 'array'],
      description: 'Text, or up to 4 texts, that end a reply.',
      examples: ['END'],
      ...{ minLength: 1, maxLength: MAX_STOP_LENGTH },
      ...{ items: stopText, minItems: 1, maxItems: MAX_STOPS },
    }),
  ),
};

const description = 'Parameters of the model of a metric of type LLM; absent without any.';
const schema = Type.Object(properties, {
  description,
  examples: [{ temperature: 0, max_tokens: 500 }],
  additionalProperties: false,
});

/** Parameters of a request: null removes those of the metric. */
export const sentModelParameters = () =>
  Type.Unsafe<ModelParameters | null>({ ...schema, type: ['object', 'null'] });

/** Parameters in a definition. */
export const modelParameters = () => Type.Unsafe<ModelParameters>(schema);
