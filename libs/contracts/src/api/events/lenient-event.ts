import { Type, type Static } from '@sinclair/typebox';
import type { JsonObject } from '@assay/domain';
import { anyJson, text } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import * as field from './event-fields.js';

/** Fields of a lenient route besides the event type and the inputs. */
const optionalFields = {
  event_name: field.eventName(),
  source: field.source(),
  event_id: field.eventId(),
  session_id: field.sessionId(),
  parent_id: field.parentId(),
  children_ids: field.childrenIds(),
  outputs: anyJson('What came out of the step; what is not an object is stored as {"value": ...}.', {
    answer: 'Paris',
  }),
  error: anyJson('Text of the error that ended the step; another value is stored as its JSON.', null),
  start_time: field.startTime(),
  end_time: field.endTime(),
  duration: field.duration(),
  ...field.optionalBuckets(),
};

/** Event on the deprecated routes: unknown fields, such as `project`, are ignored. */
export const lenientEvent = Type.Object(
  { event_type: field.eventType(), inputs: field.inputs(), ...orNull(optionalFields) },
  {
    description:
      'One event to store. Names that are not listed, such as project, are ignored; null is the same as absent.',
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
    model: text('The same as model_name.', 'gpt-4o'),
    model_version: anyJson('Version of the model, kept in the metadata.', '2026-05-13'),
    messages: anyJson('Messages to the model, kept in the inputs.', [{ role: 'user', content: 'Hello' }]),
    response: anyJson('What the model answered, kept in the outputs.', { role: 'assistant', content: 'Hi' }),
    provider: anyJson('Who runs the model, kept in the inputs.', 'openai'),
    usage: anyJson('Tokens used, kept in the inputs.', {
      prompt_tokens: 3,
      completion_tokens: 2,
      total_tokens: 5,
    }),
    cost: anyJson('Price of the call in USD, kept in the inputs.', 0.01),
    hyperparameters: anyJson('Sampling settings, kept in the inputs.', { temperature: 0 }),
    template: anyJson('Template of the prompt, kept in the inputs.', [
      { role: 'user', content: '{{question}}' },
    ]),
    template_inputs: anyJson('What the template was filled with, kept in the inputs.', { question: 'Hello' }),
    tools: anyJson('Tools that were offered, kept in the inputs.', []),
    tool_choice: anyJson('Which tool had to be used, kept in the inputs.', 'auto'),
    response_format: anyJson('Demanded form of the answer, kept in the inputs.', { type: 'text' }),
  }),
  {
    $id: 'ModelEvent',
    description: 'One call of a model. Names that are not listed are ignored; null is the same as absent.',
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
