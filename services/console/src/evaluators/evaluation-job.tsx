import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readJob, stopJob } from '../api/jobs.js';
import { settle } from '../api/events.js';
import { evaluateStored, type MetricAddress } from '../api/metrics.js';
import { useMay } from '../api/use-session.js';
import { formatCount } from '../format/number.js';
import { formatTime } from '../format/time.js';
import { usePreferences } from '../theme/preferences.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { notify } from '../ui/toast.js';

interface Props {
  readonly address: MetricAddress;
  readonly dateRange: string;
  /** The range in words. */
  readonly rangeName: string;
  /** Whether each evaluation is a call of a model. */
  readonly asksModel: boolean;
  readonly jobId: string | undefined;
  readonly onStart: (jobId: string) => void;
}

const EVERY_MS = 1_000;

/** Evaluates stored events by the deployed version, in a job. */
export function EvaluationJob({ address, dateRange, rangeName, asksModel, jobId, onStart }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const lacks = ['metrics:write' as const, 'events:write' as const].filter(useLack());
  const start = () => {
    setAsking(false);
    setFailure(undefined);
    evaluateStored(address, dateRange).then(
      ({ job }) => onStart(job.id),
      (error: Error) => setFailure(error.message),
    );
  };
  return (
    <div className="evaluator-actions">
      <Button
        {...{ label: 'Evaluate stored events', isDisabled: lacks.length > 0 }}
        onPress={() => setAsking(true)}
      />
      {lacks.length > 0 && (
        <span className="evaluator-facts">It needs {lacks.join(' and ')}, which this key lacks.</span>
      )}
      {failure !== undefined && (
        <p className="field-error" role="alert">
          Not started: {failure}
        </p>
      )}
      {jobId !== undefined && <Progress project={address.project} jobId={jobId} />}
      <Dialog
        {...{
          title: `Evaluate the events of ${rangeName}?`,
          isOpen: isAsking,
          onClose: () => setAsking(false),
        }}
      >
        <div className="dialog-body">
          <p>
            The deployed version scores all that match, whatever the sample. Scores of earlier versions are
            replaced; those that clients have sent stay.
            {asksModel && ' Each event is a call of the model, which is paid for.'}
          </p>
          <div className="dialog-actions">
            <Button label="Cancel" onPress={() => setAsking(false)} />
            <Button {...{ kind: 'primary', label: 'Evaluate', autoFocus: true, onPress: start }} />
          </div>
        </div>
      </Dialog>
    </div>
  );
}

function useLack() {
  const held = { 'metrics:write': useMay('metrics:write'), 'events:write': useMay('events:write') };
  return (permission: keyof typeof held) => !held[permission];
}

/** How far a job is, newest events first. */
function Progress({ project, jobId }: { readonly project: string; readonly jobId: string }) {
  const client = useQueryClient();
  const { zone } = usePreferences();
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
      // Queries find the last decisions a moment after the job has ended.
      void settle(project)
        .catch(() => undefined)
        .then(() => client.invalidateQueries({ queryKey: ['metric decisions', project] }));
  }, [client, project, state]);
  if (error !== null) return <p className="field-error">The job could not be read: {error.message}</p>;
  if (job === undefined) return null;
  const stop = () =>
    void stopJob(project, jobId).then(
      () => client.invalidateQueries({ queryKey: ['job', project, jobId] }),
      (failure: Error) => notify(`Not stopped: ${failure.message}`),
    );
  const { events, scored, failed, skipped } = job.counts;
  return (
    <p className="evaluator-facts" role="status">
      {formatCount(events)} events: {formatCount(scored)} scored · {formatCount(failed)} failed ·{' '}
      {formatCount(skipped)} skipped · {job.state}
      {job.reason !== null && `: ${job.reason}`}
      {job.state === 'running' && job.position !== null && (
        <span>down to {formatTime(Date.parse(job.position), zone, Date.now())}</span>
      )}
      {job.state === 'running' && <Button label="Stop" onPress={stop} />}
    </p>
  );
}
