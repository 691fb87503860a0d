import { Type } from '@sinclair/typebox';
import { listOf } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import { filterProperties } from '../events/filter.js';

const { field, ...rest } = filterProperties;

/** Conditions on the events of a run, in the query string; unknown keys of a condition are ignored. */
export const runFilters = (description = 'Conditions on the events of the run; all must hold.') =>
  listOf(Type.Object({ field, ...orNull(rest) }, { description: 'A filter condition.' }), description, [
    { field: 'event_type', operator: 'is', value: 'model', type: 'string' },
  ]);
