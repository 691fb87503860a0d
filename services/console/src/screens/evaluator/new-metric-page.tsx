import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { addMetric } from '../../api/metrics.js';
import { useMay } from '../../api/use-session.js';
import { DefinitionPane } from '../../evaluators/definition-pane.js';
import { bodyOf, missingIn, newDraft, useDraft, type MetricDraft } from '../../evaluators/draft.js';
import { useCommands } from '../../keyboard/dispatch.js';
import { Button } from '../../ui/button.js';
import { notify } from '../../ui/toast.js';
import { useProject } from '../../url/use-project.js';
import { useEvaluatorAddress } from './use-evaluator-address.js';

const NEW = newDraft();

/** A metric that does not exist yet. Creating it deploys its first version. */
export function NewMetricPage() {
  const project = useProject();
  const { draft: typed, latest, setDraft } = useDraft(project, 'new');
  const draft = typed ?? NEW;
  const { search, choose } = useEvaluatorAddress();
  const [refusal, setRefusal] = useState<Error>();
  const { create, isPending } = useCreation(
    () => latest() ?? draft,
    setRefusal,
    () => setDraft(undefined),
  );
  const change = (next: MetricDraft) => {
    setRefusal(undefined);
    setDraft(next);
  };
  const isDisabled = !useMay('metrics:write') || isPending || missingIn(draft.content) !== undefined;
  const begin = () => void (isDisabled || create());
  useCommands({ metricDeploy: begin });
  return (
    <div className="evaluator">
      <header className="evaluator-head">
        <h2>New metric</h2>
        <span className="space" />
        <Button kind="primary" label="Create and deploy" isDisabled={isDisabled} onPress={begin} />
      </header>
      <DefinitionPane
        {...{ project, draft, onChange: change, refusal, eventId: search.event }}
        latest={() => latest() ?? draft}
        onPin={(event) => choose({ event })}
        actions={
          refusal && (
            <p className="field-error" role="alert">
              Not created: <bdi>{refusal.message}</bdi>
            </p>
          )
        }
      />
    </div>
  );
}

function useCreation(latest: () => MetricDraft, onFailure: (error: Error) => void, onDone: () => void) {
  const project = useProject();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isPending, setPending] = useState(false);
  const create = async () => {
    setPending(true);
    try {
      const { metric_id: metric, warnings } = await addMetric(project, bodyOf(latest().content));
      await client.invalidateQueries({ queryKey: ['metrics', project] });
      await navigate({ to: '/p/$project/evaluators/$metric', params: { project, metric }, search: {} });
      onDone();
      notify(warnings === undefined ? 'The metric is deployed' : `Deployed: ${warnings.join(' · ')}`);
    } catch (error) {
      onFailure(error instanceof Error ? error : new Error(String(error)));
      setPending(false);
    }
  };
  return { create, isPending };
}
