import { Type } from '@sinclair/typebox';
import { MAX_RETENTION_DAYS, RETENTION_KEYS, type Retention } from '@assay/domain';
import { flag } from '../../schema/fields.js';

const days = (key: string) => ({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: MAX_RETENTION_DAYS,
  description:
    key === 'default'
      ? 'Days for the types without days of their own, and for dead letters; null: for ever.'
      : `Days for events of the type ${key}; null: for ever.`,
  examples: [key === 'session' ? 365 : 90],
});

export const projectRetention = () =>
  Type.Unsafe<Retention>({
    type: 'object',
    description:
      'Days after its start during which an event is kept, by its type. Without `default` that of the installation holds.',
    properties: Object.fromEntries(RETENTION_KEYS.map((key) => [key, days(key)])),
    additionalProperties: false,
    examples: [{ default: 90, session: 365 }],
  });

export const projectKeepReferenced = () =>
  flag('Whether events that an existing run or dataset names are kept beyond the retention.', true);
