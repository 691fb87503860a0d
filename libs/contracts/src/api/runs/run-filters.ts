import { Type } from '@sinclair/typebox';
import { listOf } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import { filterProperties } from '../events/filter.js';

const { field, ...rest } = filterProperties;

/** Conditions on the events of a run, in the query string; unknown keys of a condition are ignored. */
export const runFilters = () =>
  listOf(
    Type.Object({ field, ...orNull(rest) }, { description: 'A filter condition.' }),
    'Conditions on the events of the run; all must hold.',
    [{ field: 'event_type', operator: 'is', value: 'model', type: 'string' }],
  );
