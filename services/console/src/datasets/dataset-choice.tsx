import { useQuery } from '@tanstack/react-query';
import { allDatasets } from '../api/datasets.js';
import { printName } from '../format/name.js';
import { formatCount } from '../format/number.js';
import { Field } from '../ui/field.js';
import { useProject } from '../url/use-project.js';

export type Target =
  | { readonly kind: 'new'; readonly name: string }
  | { readonly kind: 'existing'; readonly id: string };

interface Props {
  readonly target: Target;
  readonly onChange: (target: Target) => void;
}

/** A new dataset, or one that exists. */
export function DatasetChoice({ target, onChange }: Props) {
  const project = useProject();
  const { data } = useQuery({
    queryKey: ['datasets', project],
    queryFn: ({ signal }) => allDatasets(project, signal),
  });
  return (
    <>
      <label className="field">
        <span>Dataset</span>
        <select
          className="input"
          value={target.kind === 'new' ? '' : target.id}
          onChange={({ target: { value } }) =>
            onChange(value === '' ? { kind: 'new', name: '' } : { kind: 'existing', id: value })
          }
        >
          <option value="">a new one</option>
          {data?.datasets.map(({ id, name, datapoints }) => (
            <option key={id} value={id}>
              {printName(name)} ({formatCount(datapoints.length)})
            </option>
          ))}
        </select>
      </label>
      {target.kind === 'new' && (
        <Field
          {...{ label: 'Name of the dataset', value: target.name, required: true, maxLength: 200 }}
          {...{ autoComplete: 'off', autoFocus: true }}
          onChange={(name) => onChange({ kind: 'new', name })}
        />
      )}
    </>
  );
}
