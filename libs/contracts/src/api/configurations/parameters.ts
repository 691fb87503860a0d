import { Type } from '@sinclair/typebox';
import type { JsonObject } from '@assay/domain';
import { choice, openObject, text } from '../../schema/fields.js';
import { resourceId, resourceName } from '../../schema/resource-fields.js';

const CALL_TYPES = ['chat', 'completion'] as const;
const RESPONSE_TYPES = ['text', 'json_object', 'json_schema'] as const;
const FUNCTION_CALLS = ['none', 'auto', 'force'] as const;
const MAX_FUNCTIONS = 1_000;
const MAX_MESSAGES = 10_000;

const chosenFunction = Type.Object({
  id: resourceId('Id of the function.', 'f-1'),
  name: resourceName('Name of the function.', 'lookup'),
  description: Type.Optional(text('Description of the function.', 'Looks up an order')),
  parameters: Type.Optional(openObject('JSON Schema of its arguments.', { type: 'object' })),
});

const message = {
  type: 'object',
  required: ['role', 'content'],
  properties: {
    role: { type: 'string', description: 'Who speaks.', examples: ['user'] },
    content: {
      type: 'string',
      description: 'Message content with placeholders.',
      examples: ['Answer {{question}}'],
    },
  },
};

const properties = {
  model: text('Name of the model.', 'gpt-4o', { minLength: 1, maxLength: 200 }),
  hyperparameters: Type.Optional(openObject('Settings of the model.', { temperature: 0 })),
  responseFormat: Type.Optional(
    Type.Object(
      { type: Type.Optional(choice(RESPONSE_TYPES, 'Response format.', 'text')) },
      { description: 'Response type.', examples: [{ type: 'text' }] },
    ),
  ),
  selectedFunctions: Type.Optional(
    Type.Array(chosenFunction, {
      description: 'Functions that the model may call.',
      examples: [[{ id: 'f-1', name: 'lookup' }]],
      maxItems: MAX_FUNCTIONS,
    }),
  ),
  functionCallParams: Type.Optional(choice(FUNCTION_CALLS, 'Whether the model calls functions.', 'auto')),
  forceFunction: Type.Optional(openObject('The function that the model must call.', { name: 'lookup' })),
  template: Type.Optional(
    Type.Unsafe<string | JsonObject[]>({
      type: ['array', 'string'],
      items: message,
      maxItems: MAX_MESSAGES,
      description: 'The prompt: messages, or one string.',
      examples: [[{ role: 'system', content: 'You answer briefly.' }]],
    }),
  ),
};

const callType = () => choice(CALL_TYPES, 'Call type; "chat" when absent.', 'chat');

/** Parameters of a configuration in a request. Unknown fields are stored unchanged. */
export const sentParameters = Type.Object(
  { call_type: Type.Optional(callType()), ...properties },
  { $id: 'SentParameters', description: 'Model, prompt and settings.' },
);

export const parametersResponse = Type.Object(
  { call_type: callType(), ...properties },
  { $id: 'Parameters', description: 'Model, prompt and settings.' },
);
