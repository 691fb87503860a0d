import { listUnpriced, plainModelName } from '@assay/domain';
import type { ChartQuery } from '../../../aggregates-port.js';
import type { Binder } from '../../engine/binder.js';
import type { DerivedValues } from '../../filter/derived-values.js';
import { COST_FIELD, UNPRICED_FIELD } from '../../filter/session-fields.js';
import type { ChartColumn } from './chart-column.js';
import { MAX_LISTED_MODELS, unpricedModel } from '../sessions/rollup-query.js';

/** Whether a chart adds up, or compares, the costs of events. */
export function isOfCosts({ value: { field, aggregation } }: Pick<ChartQuery, 'value'>): boolean {
  if (aggregation.kind === 'count' || aggregation.kind === 'distinct') return false;
  return field === COST_FIELD || field === 'metadata["cost"]' || field === "metadata['cost']";
}

/** The model of an event whose cost is unknown, as a column of a chart; empty for every other event. */
export function unpricedColumn(binder: Binder, isSimple: boolean): ChartColumn {
  const indexed = unpricedModel('index', binder);
  return isSimple
    ? { indexed, inPayload: false }
    : { indexed, exact: unpricedModel('text', binder), simple: SIMPLE, inPayload: false };
}

/** Rows whose leaves are complete have it in the index, as the value of the chart. */
const SIMPLE = { value: '', exceptions: [] };

/** The models that a joined row has no cost of: its own, or those of the events of a session. */
export function unpricedList(derived: DerivedValues): string {
  const ofSession = derived.text(UNPRICED_FIELD, 'NULL');
  return `if(stored_unpriced != '', [stored_unpriced], JSONExtract(ifNull(${ofSession}, '[]'), 'Array(String)'))`;
}

/** The models of the rows of a group. */
export const UNPRICED_MODELS = `groupUniqArrayArray(${MAX_LISTED_MODELS})(unpriced)`;

/** Returns the names of models of a group as responses contain them. */
export function shownModels(models: readonly string[]): readonly string[] {
  return listUnpriced(models.map((model) => plainModelName(model)));
}
