import { Type } from '@sinclair/typebox';
import { integer } from '../../schema/fields.js';

const numberOrNull = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] });

export const kappa = (description: string) => numberOrNull(description, 0.47);

/** Properties of the agreement of two raters. */
export const agreementProperties = {
  n: integer('Number of events with the scores of both.', 8),
  accuracy: numberOrNull('Share of equal scores; null without events.', 0.75),
  kappa: kappa("Cohen's kappa: 1 is total agreement, 0 is that of chance; null when chance alone agrees."),
};
