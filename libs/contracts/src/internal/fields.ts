import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { text } from '../schema/fields.js';

/** Largest number of ids, names or datapoints in one request. */
export const MAX_ITEMS = 1_000;

/** Size limits of bodies. */
export const BODY_BYTES = {
  /** Names one resource. A larger body does not come from a data plane. */
  oneResource: 16_384,
  /** Carries up to {@link MAX_ITEMS} ids or names. */
  idList: 262_144,
  /** Carries up to {@link MAX_ITEMS} names of providers, each of a project. */
  modelReport: 524_288,
  /** Carries events or datapoints. It bounds the largest event or datapoint that can be sent. */
  batch: 32 * 1024 * 1024,
};

/** Batches of one route that the control plane reads at the same time. The data plane retries a refused one. */
export const MAX_CONCURRENT_BATCHES = 4;

const RESOURCE_ID = '65c13dbbd65fb876b7886cdb';

export const projectId = () => text('Id of the project.', RESOURCE_ID);

export const queueName = {
  projectId: projectId(),
  queueId: text('Id of the queue.', RESOURCE_ID),
};

export const queueEventName = {
  ...queueName,
  eventId: text('Id of the event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
};

/** A list that neither side changes. */
export const readonlyList = <T extends TSchema>(
  item: T,
  description: string,
  example: unknown[],
  limits: { maxItems?: number } = {},
) => Type.Unsafe<readonly Static<T>[]>(Type.Array(item, { description, examples: [example], ...limits }));

/** Ids or names, at most {@link MAX_ITEMS}. */
export const textItems = (description: string, example: string[]) =>
  readonlyList(Type.String(), description, example, { maxItems: MAX_ITEMS });

/** The schema, or null. */
export const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [String(schema.type), 'null'] });

export const wholeNumber = (
  description: string,
  example: number,
  limits: { minimum?: number; maximum?: number } = {},
) =>
  Type.Integer({
    description,
    examples: [example],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...limits,
  });

/** SHA-256 in hexadecimal. */
export const sha256 = (description: string) =>
  Type.String({ description, examples: ['a'.repeat(64)], pattern: '^[0-9a-f]{64}$' });
