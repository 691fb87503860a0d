import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { settle } from '../api/events.js';
import { readJob } from '../api/jobs.js';
import { evaluateEvent } from '../api/metrics.js';
import { useMay, useServes } from '../api/use-session.js';
import { Button } from '../ui/button.js';

interface Props {
  readonly project: string;
  readonly eventId: string;
  readonly metricId: string;
}

const EVERY_MS = 500;

/** An event that the metric applies to and has not evaluated: a person can have it done. */
export function EvaluateNow({ project, eventId, metricId }: Props) {
  const client = useQueryClient();
  const may = useMay('events:write');
  const isServed = useServes('evaluateStoredEvents');
  const [state, setState] = useState<'idle' | 'running' | Error>('idle');
  if (!isServed) return null;
  if (!may) return <p className="evaluation-text">Evaluating it needs events:write, which this key lacks.</p>;
  async function run(): Promise<void> {
    setState('running');
    try {
      const { job } = await evaluateEvent({ project, metricId }, eventId);
      await ended(project, job.id);
      await settle(project);
      // The row goes with its decision.
      await client.invalidateQueries({ queryKey: ['evaluations', project, eventId] });
      await client.invalidateQueries({ queryKey: ['session', project] });
      setState('idle');
    } catch (error) {
      setState(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return (
    <p className="evaluation-text">
      It arrived before the metric applied to it, or a moment ago.{' '}
      <Button
        {...{ label: state === 'running' ? 'Evaluating …' : 'Evaluate now', isDisabled: state === 'running' }}
        onPress={() => void run()}
      />
      {state instanceof Error && (
        <span className="field-error" role="alert">
          Not evaluated: {state.message}
        </span>
      )}
    </p>
  );
}

/** Resolves once the job has ended. @throws Error with the reason of one that failed */
async function ended(project: string, jobId: string): Promise<void> {
  for (;;) {
    const { job } = await readJob(project, jobId);
    if (job.state === 'failed') throw new Error(job.reason ?? 'the job failed');
    if (job.state !== 'running') return;
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
