import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { addDataset, allDatasets, type Dataset } from '../../api/datasets.js';
import { useMay } from '../../api/use-session.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';
import { formatTime, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { useProject } from '../../url/use-project.js';
import '../../datasets/datasets.css';

const PAGE = 100;

/** Datasets with their sizes, newest first. */
export function DatasetsScreen() {
  const project = useProject();
  const [visible, setVisible] = useState(PAGE);
  const { data, error, refetch } = useQuery({
    queryKey: ['datasets', project],
    queryFn: ({ signal }) => allDatasets(project, signal),
  });
  if (error !== null)
    return <Failure title="The datasets could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="datasets-note">Reading datasets …</p>;
  const { datasets } = data;
  return (
    <div className="datasets" role="group" aria-label="Datasets" tabIndex={0}>
      <NewDataset />
      {datasets.length === 0 ? (
        <Notice title="No datasets yet">
          A dataset holds the inputs and the expected outputs that runs are evaluated on. Select rows in the
          list of events and add them to one, or create one here.
        </Notice>
      ) : (
        <>
          <DatasetTable datasets={datasets.slice(0, visible)} />
          <p className="datasets-note">
            {formatCount(Math.min(visible, datasets.length))} / {formatCount(datasets.length)} datasets
            {datasets.length > visible && (
              <Button kind="quiet" label="Show more" onPress={() => setVisible(visible + PAGE)} />
            )}
          </p>
        </>
      )}
    </div>
  );
}

function NewDataset() {
  const project = useProject();
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMay('datasets:write');
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string>();
  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const { result } = await addDataset(project, { name: name.trim() });
      await client.invalidateQueries({ queryKey: ['datasets', project] });
      await navigate({
        ...{ to: '/p/$project/datasets/$dataset', params: { project, dataset: result.insertedId } },
      });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  }
  if (!mayWrite)
    return (
      <p className="datasets-note">
        The key of this session may not change datasets (<code>datasets:write</code>).
      </p>
    );
  return (
    <form className="datasets-form" onSubmit={(event) => void add(event)}>
      <Field
        {...{ label: 'New dataset', value: name, required: true, maxLength: 200, autoComplete: 'off' }}
        {...{ error: failure, onChange: setName }}
      />
      <Button {...{ type: 'submit', icon: 'plus', label: 'Create', isDisabled: name.trim() === '' }} />
    </form>
  );
}

function DatasetTable({ datasets }: { readonly datasets: readonly Dataset[] }) {
  const project = useProject();
  const { zone } = usePreferences();
  return (
    <table className="datasets-table">
      <thead>
        <tr>
          {['Name', 'Datapoints', 'Description', 'Changed'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {datasets.map(({ id, name, description, datapoints, updated_at: at }) => (
          <tr key={id}>
            <th scope="row" title={name}>
              <Link to="/p/$project/datasets/$dataset" params={{ project, dataset: id }}>
                <bdi>{printName(name)}</bdi>
              </Link>
            </th>
            <td>{formatCount(datapoints.length)}</td>
            <td title={description}>
              <bdi>{description === '' ? '—' : printName(description)}</bdi>
            </td>
            <td title={isoTime(Date.parse(at))}>{formatTime(Date.parse(at), zone, Date.now())}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
