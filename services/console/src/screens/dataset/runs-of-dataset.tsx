import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pageOfRuns, type Run } from '../../api/runs.js';
import { useMay, useServes } from '../../api/use-session.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';

interface Props {
  readonly project: string;
  readonly datasetId: string;
}

/** Runs that are linked from here: the rest is in the list of runs. */
const SHOWN = 5;

const nameOf = ({ name, run_id: id }: Run) => printName(name ?? id.slice(0, 8));

/** The newest runs on the dataset, and the way to compare the last two. */
export function RunsOfDataset({ project, datasetId }: Props) {
  const mayRead = useMay('runs:read');
  const hasScores = useServes('compareRunResults');
  const { data, error } = useQuery({
    ...{ queryKey: ['runs of dataset', project, datasetId], enabled: mayRead },
    queryFn: ({ signal }) => pageOfRuns(project, { page: 1, limit: SHOWN, dataset_id: datasetId }, signal),
  });
  if (!mayRead) return null;
  if (error !== null) return <p className="datasets-note">The runs could not be read: {error.message}</p>;
  if (data === undefined) return <p className="datasets-note">Reading runs …</p>;
  const runs = data.evaluations;
  const [newest, before] = runs;
  if (newest === undefined) return <p className="datasets-note">No run uses it yet.</p>;
  return (
    <p className="datasets-note">
      Used by {formatCount(data.pagination.total)} {data.pagination.total === 1 ? 'run' : 'runs'}:
      {runs.map((run) => (
        <Link key={run.run_id} to="/p/$project/runs/$run" params={{ project, run: run.run_id }}>
          <bdi>{nameOf(run)}</bdi>
        </Link>
      ))}
      {before !== undefined && hasScores && (
        <Link
          {...{ to: '/p/$project/compare/$new/$old', className: 'button' }}
          params={{ project, new: newest.run_id, old: before.run_id }}
        >
          Compare the last two
        </Link>
      )}
    </p>
  );
}
