import type { Metric } from '../api/metrics.js';
import { Field } from '../ui/field.js';
import { CategoryRows, ChildRows } from './definition-rows.js';
import type { Definition } from './describe.js';
import { FilterLines } from './filter-lines.js';
import { KIND_NAMES, kindOf } from './kinds.js';
import { ModelFields } from './model-fields.js';
import { NumberField } from './number-field.js';
import { SelectField } from './select-field.js';
import { ThresholdFields } from './threshold-fields.js';
import { withType } from './draft.js';

interface Props {
  readonly content: Definition;
  /** Whether the type can still be chosen. */
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  /** The metrics of the project, of which composites combine some. */
  readonly metrics: readonly Metric[];
  readonly onChange: (content: Definition) => void;
}

const RETURN_TYPES: Readonly<Record<Definition['return_type'], string>> = {
  float: 'number',
  boolean: 'yes or no',
  string: 'text',
  categorical: 'category',
};
const DIRECTIONS: Readonly<Record<Definition['direction'], string>> = {
  higher: 'higher is better',
  lower: 'lower is better',
  none: 'neither',
};

/** Every field of a metric besides its criteria. */
export function DefinitionForm({ content, isNew, isReadOnly, metrics, onChange }: Props) {
  const kind = kindOf(content);
  const set = (change: Partial<Definition>) => onChange({ ...content, ...change });
  return (
    <fieldset className="evaluator-form" disabled={isReadOnly}>
      <legend className="visually-hidden">Definition</legend>
      <Field
        {...{ label: 'Name', value: content.name, maxLength: 200, required: true }}
        onChange={(name) => set({ name })}
      />
      {isNew && (
        <SelectField
          {...{ label: 'Scored by', value: content.type, options: KIND_NAMES }}
          onChange={(type) => onChange(withType(content, type))}
        />
      )}
      <Field
        {...{ label: 'Description', value: content.description ?? '' }}
        onChange={(description) => set({ description })}
      />
      <SelectField
        {...{ label: 'Scores are', value: content.return_type, options: RETURN_TYPES }}
        onChange={(type) =>
          set({ return_type: type, threshold: null, ...(type !== 'categorical' && NO_CATEGORIES) })
        }
      />
      <SelectField
        {...{ label: 'Direction', value: content.direction, options: DIRECTIONS }}
        onChange={(direction) => set({ direction })}
      />
      <NumberField
        {...{ label: 'Scale: the highest score', value: content.scale, min: 1 }}
        onChange={(scale) => set({ scale: scale ?? null })}
      />
      {content.return_type === 'categorical' && (
        <CategoryRows rows={content.categories ?? []} onChange={(categories) => set({ categories })} />
      )}
      <ThresholdFields content={content} onChange={(threshold) => set({ threshold })} />
      {kind.combines && (
        <ChildRows
          {...{ rows: content.child_metrics ?? [], metrics, own: content.name }}
          onChange={(children) => set({ child_metrics: children })}
        />
      )}
      {kind.asksModel && <ModelFields content={content} onChange={set} />}
      {kind.isEvaluated && <ArrivalFields content={content} onChange={set} />}
    </fieldset>
  );
}

const NO_CATEGORIES: Partial<Definition> = { categories: null };

interface ArrivalProps {
  readonly content: Definition;
  readonly onChange: (change: Partial<Definition>) => void;
}

/** Which new events the metric scores. */
function ArrivalFields({ content, onChange }: ArrivalProps) {
  return (
    <>
      <label className="evaluator-check">
        <input
          {...{ type: 'checkbox', checked: content.enabled_in_prod }}
          onChange={() => onChange({ enabled_in_prod: !content.enabled_in_prod })}
        />{' '}
        score new events
      </label>
      <label className="evaluator-check">
        <input
          {...{ type: 'checkbox', checked: content.needs_ground_truth }}
          onChange={() => onChange({ needs_ground_truth: !content.needs_ground_truth })}
        />{' '}
        needs a ground truth
      </label>
      <NumberField
        {...{
          label: 'Sample of new events, in percent',
          value: content.sampling_percentage,
          min: 0,
          max: 100,
        }}
        onChange={(share) => onChange({ sampling_percentage: share ?? 0 })}
      />
      <FilterLines
        filters={content.filters.filterArray}
        onChange={(filterArray) => onChange({ filters: { filterArray } })}
      />
    </>
  );
}
