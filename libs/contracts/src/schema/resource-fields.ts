import { Type, type TSchema } from '@sinclair/typebox';
import { openObject, text, textList } from './fields.js';
import { MAX_UNPRICED_MODELS, type JsonObject } from '@assay/domain';

/** Maximum length of an id, a resource name and a tag, in characters. */
export const MAX_NAME_LENGTH = 200;

const ID_EXAMPLE = '65c13dbbd65fb876b7886cdb';

/** Opaque id. Generated ids have 24 hexadecimal digits; ids chosen by clients may be any text. */
export const resourceId = (description: string, example = ID_EXAMPLE) =>
  text(description, example, { minLength: 1, maxLength: MAX_NAME_LENGTH });

export const resourceName = (description: string, example: string) =>
  text(description, example, { minLength: 1, maxLength: MAX_NAME_LENGTH });

export const storedWarnings = () =>
  Type.Optional(
    textList(
      'What a request would be refused for, and an earlier release stored: it selects other events than it seems to. Of a metric, also why events cannot be evaluated by it at present. Absent without any.',
      ['groupBy must name an item of a list in brackets'],
    ),
  );
export const createdAt = () => text('Time of creation, ISO 8601.', '2026-11-01T00:00:00.000Z');
export const updatedAt = () => text('Time of the last change, ISO 8601.', '2026-11-01T00:00:00.000Z');

/** Path parameters of the routes of one project's resources. */
export const projectId = () => resourceId('Id of the project; must be the project of the key.');

const about = (description: string, example: unknown) => ({ description, examples: [example] });

export const idList = (
  description: string,
  example: string[] = [ID_EXAMPLE],
  maxItems = 100_000,
  minItems?: number,
) =>
  Type.Array(Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH }), {
    ...about(description, example),
    maxItems,
    ...(minItems !== undefined && { minItems }),
  });

export const objectOrNull = (description: string, example: JsonObject | null) =>
  Type.Unsafe<JsonObject | null>({ type: ['object', 'null'], ...about(description, example) });

export const objectList = (
  description: string,
  example: JsonObject[],
  limits: { minItems?: number; maxItems?: number } = {},
) => Type.Array(openObject('One object.', {}), { ...about(description, example), ...limits });

export const numberIn = (
  description: string,
  example: number,
  limits: { minimum?: number; maximum?: number } = {},
) => Type.Number({ ...about(description, example), ...limits });

export const numberOrNull = (description: string, example: number) =>
  Type.Unsafe<number | null>({ ...Type.Number(), type: ['number', 'null'], ...about(description, example) });

/** Models of calls whose cost is unknown. */
export const unpricedModels = (description: string) =>
  Type.Array(Type.String(), {
    ...about(`${description} Sorted, without dates, regions and paths of gateways; the first 20.`, []),
    maxItems: MAX_UNPRICED_MODELS,
  });

/** What older clients send along: accepted, and without effect. */
export const ignoredText = (description = 'Accepted from older clients; has no effect.') =>
  Type.Optional(text(description, 'support-bot'));
export const ignored = (example: unknown) =>
  Type.Optional(Type.Unsafe<unknown>(about('Accepted from older clients; has no effect.', example)));

/** Returns the same properties, all optional, for an update. */
export const allOptional = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Partial(Type.Object(properties)).properties;

/** Version 4, variant 1 of RFC 9562. */
const UUID_V4 = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';

export const uuidV4 = (description: string) =>
  Type.String({
    ...about(description, '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    format: 'uuid',
    pattern: UUID_V4,
  });

/** Enumeration of strings, or null. */
export const choiceOrNull = <T extends string>(values: readonly T[], description: string, example: T) =>
  Type.Unsafe<T | null>({
    type: ['string', 'null'],
    enum: [...values, null],
    ...about(description, example),
  });

export const limitedTextOrNull = (
  description: string,
  example: string | null,
  limits: { minLength?: number; maxLength?: number },
) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...about(description, example), ...limits });
