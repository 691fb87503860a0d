import { Type } from '@sinclair/typebox';
import { EVENT_TYPES, type EventType } from '@assay/domain';
import {
  choice,
  milliseconds,
  objectOrList,
  openObject,
  text,
  textList,
  textOrNull,
  uuid,
} from '../../schema/fields.js';
import { numberIn } from '../../schema/resource-fields.js';

export const eventId = () => uuid('Id of the event, unique within the project.');
export const sessionId = () => uuid('Id of the session that the event belongs to.');
export const eventName = () => text('Name of the step, such as the function or the span.', 'answer_question');
export const source = () => text('Source of the event: an environment or a program.', 'prod');
export const childrenIds = () => textList('Ids of the child events.', []);
export const parentId = () =>
  textOrNull('Id of the parent event; null for a session.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e');
export const errorText = () => textOrNull('Error that ended the step; null on success.', null);
export const startTime = () => milliseconds('Start time of the step, in Unix milliseconds.', 1795255200000);
export const endTime = () => milliseconds('End time of the step, in Unix milliseconds.', 1795255200250);
export const duration = () => milliseconds('Duration of the step, in milliseconds.', 250);
/** As {@link duration}; what follows from an end before the start is negative, as clocks that disagree make it. */
export const durationResponse = () =>
  numberIn('Duration of the step, in milliseconds; negative if its end is before its start.', 250);

export const eventType = () =>
  choice<EventType>(
    EVENT_TYPES,
    'Type of the step: session, model call, tool call, or chain (anything else).',
    'model',
  );

export const inputs = () => openObject('Inputs of the step.', { question: 'What is the capital of France?' });
export const outputs = () => openObject('Outputs of the step.', { answer: 'Paris' });
/** As {@link outputs}; a list is stored as `{"value": [...]}`. */
export const sentOutputs = () =>
  objectOrList('Outputs of the step; a list is stored as {"value": [...]}.', { answer: 'Paris' });

/** The open objects that an update merges key by key. */
export const mergedBuckets = {
  config: () =>
    openObject('Settings of the step, such as model and template.', { model: 'gpt-4o', provider: 'openai' }),
  metadata: () =>
    openObject('Metadata of the step, such as cost, tokens, run id and datapoint id.', {
      total_tokens: 42,
    }),
  metrics: () => openObject('Scores by evaluator name.', { accuracy: 0.9 }),
  feedback: () => openObject('Human feedback and the ground truth.', { rating: 5 }),
  user_properties: () =>
    openObject('Properties of the user on whose behalf the step ran.', { user_id: 'u-1' }),
};

/** The open objects that an update merges, each optional. */
export const optionalBuckets = () => ({
  config: Type.Optional(mergedBuckets.config()),
  metadata: Type.Optional(mergedBuckets.metadata()),
  metrics: Type.Optional(mergedBuckets.metrics()),
  feedback: Type.Optional(mergedBuckets.feedback()),
  user_properties: Type.Optional(mergedBuckets.user_properties()),
});
