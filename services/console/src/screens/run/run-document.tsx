import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { readRun, type Run } from '../../api/runs.js';
import { jsonText } from '../../format/json-text.js';
import { printName } from '../../format/name.js';
import { formatTime, isoTime } from '../../format/time.js';
import { InDataPlane } from '../../plane/in-data-plane.js';
import { usePreferences } from '../../theme/preferences.js';
import { Failure } from '../../ui/failure.js';

/** A run in a process that has no events: what its client said of it. */
export function RunDocument() {
  const { project, run: id } = useParams({ from: '/p/$project/runs/$run' });
  const { data, error, refetch } = useQuery({
    queryKey: ['run', project, id],
    queryFn: ({ signal }) => readRun(project, id, signal),
  });
  if (error !== null)
    return <Failure title="The run could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="runs-note">Reading the run …</p>;
  const { evaluation: run } = data;
  return (
    <div className="run" role="group" aria-label="Run" tabIndex={0}>
      <header className="run-head">
        <h2>
          <bdi>{printName(run.name ?? id)}</bdi>
        </h2>
        <span className="run-facts">{run.status}</span>
      </header>
      <InDataPlane what="Scores, results and comparisons" />
      <Facts run={run} />
    </div>
  );
}

function Facts({ run }: { readonly run: Run }) {
  const { zone } = usePreferences();
  const time = (text: string | null) =>
    text === null ? '—' : formatTime(Date.parse(text), zone, Date.now());
  const { created_at: created, updated_at: updated, dataset_id: datasetId } = run;
  const dataset = run.dataset_name ?? datasetId ?? '—';
  const rows: readonly (readonly [string, string])[] = [
    ['Description', run.description ?? '—'],
    ['Dataset', dataset],
    ['Created', time(created)],
    ['Changed', time(updated)],
    ['Configuration', jsonText(run.configuration)],
    ['Metadata', jsonText(run.metadata)],
  ];
  return (
    <table className="runs-table">
      <tbody>
        {rows.map(([name, text]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td title={name === 'Created' ? isoTime(Date.parse(created)) : undefined}>
              <bdi>{printName(text)}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
