import type { Metric } from '../api/metrics.js';
import { printName } from '../format/name.js';
import { Button } from '../ui/button.js';
import type { Definition } from './describe.js';
import { KINDS } from './kinds.js';
import { NumberField } from './number-field.js';

type Category = NonNullable<Definition['categories']>[number];
type Child = NonNullable<Definition['child_metrics']>[number];

interface CategoryProps {
  readonly rows: readonly Category[];
  readonly onChange: (rows: Category[] | null) => void;
}

/** The categories, each with its score. */
export function CategoryRows({ rows, onChange }: CategoryProps) {
  const change = (at: number, row: Category | undefined) => onChange(replaced(rows, at, row));
  return (
    <fieldset className="evaluator-rows">
      <legend>Categories</legend>
      {rows.map((row, at) => (
        <div key={at} className="evaluator-row">
          <input
            {...{
              className: 'input',
              'aria-label': `Category ${at + 1}`,
              value: row.category,
              maxLength: 200,
            }}
            onChange={(event) => change(at, { ...row, category: event.target.value })}
          />
          <NumberField
            {...{ label: `Score ${at + 1}`, value: row.score }}
            onChange={(score) => change(at, { ...row, score: score ?? null })}
          />
          <Remove what={`category ${at + 1}`} onPress={() => change(at, undefined)} />
        </div>
      ))}
      <Button
        icon="plus"
        label="Add a category"
        onPress={() => onChange([...rows, { category: '', score: null }])}
      />
    </fieldset>
  );
}

interface ChildProps {
  readonly rows: readonly Child[];
  readonly metrics: readonly Metric[];
  /** Name of the composite itself. */
  readonly own: string;
  readonly onChange: (rows: Child[] | null) => void;
}

/** The metrics that a composite combines, each with its weight. */
export function ChildRows({ rows, metrics, own, onChange }: ChildProps) {
  const names = [...new Set(metrics.filter(isCombinable).map(({ name }) => name))].filter(
    (name) => name !== own,
  );
  const free = names.find((name) => !rows.some((row) => row.name === name));
  const change = (at: number, row: Child | undefined) => onChange(replaced(rows, at, row));
  return (
    <fieldset className="evaluator-rows">
      <legend>Combined metrics</legend>
      {rows.map((row, at) => (
        <div key={at} className="evaluator-row">
          <select
            {...{ className: 'input', 'aria-label': `Metric ${at + 1}`, value: row.name }}
            onChange={(event) => change(at, { name: event.target.value, weight: row.weight })}
          >
            {!names.includes(row.name) && (
              <option value={row.name}>{printName(row.name)}, which no metric has</option>
            )}
            {names.map((name) => (
              <option key={name} value={name}>
                {printName(name)}
              </option>
            ))}
          </select>
          <NumberField
            {...{ label: `Weight ${at + 1}`, value: row.weight }}
            onChange={(weight) => change(at, { ...row, weight: weight ?? 0 })}
          />
          <Remove what={`metric ${at + 1}`} onPress={() => change(at, undefined)} />
          {!names.includes(row.name) && (
            <p className="field-error">No metric that can be combined has this name.</p>
          )}
        </div>
      ))}
      {free === undefined ? (
        <p className="field-hint">The project has no further metric that can be combined.</p>
      ) : (
        <Button
          icon="plus"
          label="Add a metric"
          onPress={() => onChange([...rows, { name: free, weight: 1 }])}
        />
      )}
    </fieldset>
  );
}

/** Composites combine no composites and no texts. */
const isCombinable = ({ type, return_type: scores }: Metric) => !KINDS[type].combines && scores !== 'string';

function Remove({ what, onPress }: { readonly what: string; readonly onPress: () => void }) {
  return <Button kind="quiet" icon="close" iconOnly label={`Remove ${what}`} onPress={onPress} />;
}

/** The rows with another one at a place, or without that one; null for none. */
function replaced<Row>(rows: readonly Row[], at: number, row: Row | undefined): Row[] | null {
  const next = rows.flatMap((one, index) => (index === at ? (row === undefined ? [] : [row]) : [one]));
  return next.length === 0 ? null : next;
}
