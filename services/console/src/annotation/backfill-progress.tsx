import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readJob, stopJob } from '../api/jobs.js';
import { formatCount } from '../format/number.js';
import { Button } from '../ui/button.js';
import { notify } from '../ui/toast.js';

const EVERY_MS = 1_000;

interface Props {
  readonly project: string;
  readonly jobId: string;
}

/** How far a job is that adds stored events to a queue. */
export function BackfillProgress({ project, jobId }: Props) {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['job', project, jobId],
    queryFn: ({ signal }) => readJob(project, jobId, signal),
    refetchInterval: ({ state }) => (state.data?.job.state === 'running' ? EVERY_MS : false),
    staleTime: 0,
  });
  const job = data?.job;
  const state = job?.state;
  useEffect(() => {
    if (state !== undefined && state !== 'running')
      void Promise.all(
        ['queue statistics', 'queue items'].map((key) =>
          client.invalidateQueries({ queryKey: [key, project] }),
        ),
      );
  }, [client, project, state]);
  if (error !== null) return <p className="field-error">The job could not be read: {error.message}</p>;
  if (job === undefined) return null;
  const stop = () =>
    void stopJob(project, jobId).then(
      () => client.invalidateQueries({ queryKey: ['job', project, jobId] }),
      (failure: Error) => notify(`Not stopped: ${failure.message}`),
    );
  const undecided = job.counts.not_decided ?? 0;
  return (
    <p className="queue-facts" role="status">
      Stored events: {formatCount(job.counts.matched ?? 0)} match of {formatCount(job.counts.events)} examined
      · {job.state}
      {job.reason !== null && `: ${job.reason}`}
      {undecided > 0 && ` · ${formatCount(undecided)} not decided`}
      {job.state === 'running' && <Button label="Stop" onPress={stop} />}
    </p>
  );
}
