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
export const source = () => text('Where the event comes from: an environment or a program.', 'prod');
export const childrenIds = () => textList('Ids of the events directly below this one.', []);
export const parentId = () =>
  textOrNull('Id of the event above this one; null for a session.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e');
export const errorText = () =>
  textOrNull('Text of the error that ended the step; null when it succeeded.', null);
export const startTime = () => milliseconds('When the step began, in Unix milliseconds.', 1795255200000);
export const endTime = () => milliseconds('When the step ended, in Unix milliseconds.', 1795255200250);
export const duration = () => milliseconds('How long the step took, in milliseconds.', 250);
/** As {@link duration}, but negative if the end precedes the start, as happens when clocks disagree. */
export const durationResponse = () =>
  numberIn(
    'How long the step took, in milliseconds; negative where it was sent with an end before its start.',
    250,
  );

export const eventType = () =>
  choice<EventType>(
    EVENT_TYPES,
    'Kind of step: a whole session, a call of a model, of a tool, or anything else.',
    'model',
  );

export const inputs = () =>
  openObject('What went into the step.', { question: 'What is the capital of France?' });
export const outputs = () => openObject('What came out of the step.', { answer: 'Paris' });
/** As {@link outputs}; a list is stored as `{"value": [...]}`. */
export const sentOutputs = () =>
  objectOrList('What came out of the step; a list is stored as {"value": [...]}.', { answer: 'Paris' });

/** Open objects that an update merges key by key. */
export const mergedBuckets = {
  config: () =>
    openObject('Settings of the step, such as model and template.', { model: 'gpt-4o', provider: 'openai' }),
  metadata: () =>
    openObject('Facts about the step, such as cost, tokens and ids of the run and datapoint.', {
      total_tokens: 42,
    }),
  metrics: () => openObject('Scores by evaluator name.', { accuracy: 0.9 }),
  feedback: () => openObject('Judgements of people, and the ground truth.', { rating: 5 }),
  user_properties: () => openObject('Facts about the user on whose behalf the step ran.', { user_id: 'u-1' }),
};

/** Open objects that an update merges, each optional. */
export const optionalBuckets = () => ({
  config: Type.Optional(mergedBuckets.config()),
  metadata: Type.Optional(mergedBuckets.metadata()),
  metrics: Type.Optional(mergedBuckets.metrics()),
  feedback: Type.Optional(mergedBuckets.feedback()),
  user_properties: Type.Optional(mergedBuckets.user_properties()),
});
