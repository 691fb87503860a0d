import { Type, type Static } from '@sinclair/typebox';
import type { JsonObject } from '@assay/domain';
import { anyJson, text } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import * as field from './event-fields.js';

/** Properties that a lenient route accepts besides the type and the inputs. */
const optionalFields = { ...field.optionalFields(), outputs: field.anyOutputs(), error: field.anyError() };
const sessionFields = { session_name: field.sentSessionName() };

/** Event on the deprecated routes: unknown fields, such as `project`, are ignored. */
export const lenientEvent = Type.Object(
  {
    event_type: field.eventType(),
    inputs: field.inputs(),
    ...orNull({ ...optionalFields, ...sessionFields }),
  },
  {
    description:
      'An event to store. Unknown fields, such as project, are ignored; null is treated as absent.',
    examples: [{ event_type: 'tool', inputs: { city: 'Paris' } }] satisfies JsonObject[],
  },
);
export type LenientEvent = Static<typeof lenientEvent>;

/** Model call on the deprecated routes for model events: an event with additional fields. */
export const modelEvent = Type.Object(
  orNull({
    ...optionalFields,
    inputs: field.inputs(),
    model_name: text('Name of the model; this or event_name is required.', 'gpt-4o'),
    model: text('Alias of model_name.', 'gpt-4o'),
    model_version: anyJson('Model version, stored in the metadata.', '2026-05-13'),
    messages: anyJson('Messages to the model, stored in the inputs.', [{ role: 'user', content: 'Hello' }]),
    response: anyJson('Model response, stored in the outputs.', { role: 'assistant', content: 'Hi' }),
    provider: anyJson('Model provider, stored in the inputs.', 'openai'),
    usage: anyJson('Tokens used, stored in the inputs.', {
      prompt_tokens: 3,
      completion_tokens: 2,
      total_tokens: 5,
    }),
    cost: anyJson('Price of the call in USD, stored in the inputs.', 0.01),
    hyperparameters: anyJson('Sampling settings, stored in the inputs.', { temperature: 0 }),
    template: anyJson('Prompt template, stored in the inputs.', [{ role: 'user', content: '{{question}}' }]),
    template_inputs: anyJson('Template variables, stored in the inputs.', { question: 'Hello' }),
    tools: anyJson('Available tools, stored in the inputs.', []),
    tool_choice: anyJson('Required tool, stored in the inputs.', 'auto'),
    response_format: anyJson('Required response format, stored in the inputs.', { type: 'text' }),
  }),
  {
    $id: 'ModelEvent',
    description: 'A model call. Unknown fields are ignored; null is treated as absent.',
    examples: [
      {
        model_name: 'gpt-4o',
        messages: [{ role: 'user', content: 'Hello' }],
        response: { role: 'assistant', content: 'Hi' },
      },
    ],
  },
);
export type ModelEvent = Static<typeof modelEvent>;
