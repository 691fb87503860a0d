import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deployVersion, type Metric, type MetricVersion } from '../../api/metrics.js';
import { useMay, useServes } from '../../api/use-session.js';
import { DefinitionPane } from '../../evaluators/definition-pane.js';
import { DeployDialog } from '../../evaluators/deploy-dialog.js';
import { arrivalText } from '../../evaluators/describe.js';
import { bodyOf, draftOf, missingIn, useDraft, type MetricDraft } from '../../evaluators/draft.js';
import { kindOf } from '../../evaluators/kinds.js';
import { useMetric } from '../../evaluators/use-metric.js';
import { VersionList } from '../../evaluators/version-list.js';
import { printName } from '../../format/name.js';
import { keyNames } from '../../keyboard/commands.js';
import { useCommands } from '../../keyboard/dispatch.js';
import { InDataPlane } from '../../plane/in-data-plane.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { notify } from '../../ui/toast.js';
import '../../ui/choices.css';
import { ResultsView } from './results-view.js';
import { useEvaluatorAddress } from './use-evaluator-address.js';

const VIEWS = ['definition', 'versions', 'results'] as const;

/** One metric: its definition as a draft, and its versions. */
export function MetricPage() {
  const { project, metric: metricId, search, choose } = useEvaluatorAddress();
  const { metric, versions, error, retry } = useMetric({ project, metricId });
  const hasResults = useServes('listMetricDecisions');
  const view = VIEWS.find((one) => one === search.view) ?? 'definition';
  if (error !== null) return <Failure title="The metric could not be read" error={error} onRetry={retry} />;
  const deployed = versions?.find((version) => version.deployed) ?? versions?.at(-1);
  if (metric === undefined || versions === undefined || deployed === undefined)
    return <p className="evaluators-note">Reading the metric …</p>;
  return (
    <div className="evaluator">
      <Head metric={metric} deployed={deployed} view={view} onView={(next) => choose({ view: next })} />
      {view === 'definition' && <Definition metric={metric} deployed={deployed} />}
      {view === 'versions' && <Versions metric={metric} versions={versions} deployed={deployed} />}
      {view === 'results' && hasResults && <ResultsView metric={metric} />}
      {view === 'results' && !hasResults && <InDataPlane what="Decisions and scores" />}
    </div>
  );
}

interface HeadProps {
  readonly metric: Metric;
  readonly deployed: MetricVersion;
  readonly view: (typeof VIEWS)[number];
  readonly onView: (view: string | undefined) => void;
}

function Head({ metric, deployed, view, onView }: HeadProps) {
  return (
    <header className="evaluator-head">
      <h2 title={metric.name}>
        <bdi>{printName(metric.name)}</bdi>
      </h2>
      <span className="evaluator-facts">
        {kindOf(metric).name} · {deployed.name} is deployed · new events: {arrivalText(metric)}
      </span>
      <span className="space" />
      <div className="segments" role="group" aria-label="View">
        {VIEWS.map((one) => (
          <button
            key={one}
            {...{ type: 'button', className: 'segment', 'aria-pressed': one === view }}
            onClick={() => onView(one === 'definition' ? undefined : one)}
          >
            {one}
          </button>
        ))}
      </div>
      {metric.warnings?.map((warning) => (
        <p key={warning} className="evaluator-warning">
          ! {warning}
        </p>
      ))}
    </header>
  );
}

interface DefinitionProps {
  readonly metric: Metric;
  readonly deployed: MetricVersion;
}

/** The draft of the metric, which begins with the deployed version. */
function Definition({ metric, deployed }: DefinitionProps) {
  const { project, search, choose } = useEvaluatorAddress();
  const { draft: typed, latest, setDraft } = useDraft(project, metric.id);
  const [refusal, setRefusal] = useState<Error>();
  const [isDeploying, setDeploying] = useState(false);
  const [discarded, setDiscarded] = useState(0);
  const mayWrite = useMay('metrics:write');
  const draft = typed ?? draftOf(deployed, deployed);
  const isChanged = differs(draft, deployed);
  const change = (next: MetricDraft) => {
    setRefusal(undefined);
    setDraft(next);
  };
  const isDisabled = !mayWrite || !isChanged || missingIn(draft.content) !== undefined;
  const begin = () => {
    const now = latest() ?? draft;
    if (mayWrite && differs(now, deployed) && missingIn(now.content) === undefined) setDeploying(true);
  };
  useCommands({ metricDeploy: begin });
  return (
    <>
      <DefinitionPane
        key={discarded}
        {...{ project, metricId: metric.id, draft, onChange: change, refusal, eventId: search.event }}
        latest={() => latest() ?? draft}
        onPin={(event) => choose({ event })}
        actions={
          <Actions
            {...{ draft, deployed, isChanged, isDisabled, isTyped: typed !== undefined }}
            onDeploy={begin}
            onDiscard={() => {
              setDraft(undefined);
              setDiscarded(discarded + 1);
            }}
          />
        }
      />
      {isDeploying && (
        <DeployDialog
          {...{ address: { project, metricId: metric.id }, draft, onFailure: setRefusal }}
          onClose={() => setDeploying(false)}
          onDone={() => {
            setDeploying(false);
            setDraft(undefined);
          }}
        />
      )}
    </>
  );
}

interface ActionsProps {
  readonly draft: MetricDraft;
  readonly deployed: MetricVersion;
  readonly isChanged: boolean;
  readonly isDisabled: boolean;
  readonly isTyped: boolean;
  readonly onDeploy: () => void;
  readonly onDiscard: () => void;
}

/** What can be done with a draft. */
function Actions({ draft, deployed, isChanged, isDisabled, isTyped, onDeploy, onDiscard }: ActionsProps) {
  return (
    <div className="evaluator-actions">
      <Button
        {...{ kind: 'primary', label: `Deploy … (${keyNames('metricDeploy')[0] ?? ''})`, isDisabled }}
        onPress={onDeploy}
      />
      <Button {...{ label: 'Discard the draft', isDisabled: !isTyped }} onPress={onDiscard} />
      <span className="evaluator-facts">
        {isChanged ? `Draft, begun with ${draft.base ?? ''}` : `As ${deployed.name}, which is deployed`}
      </span>
    </div>
  );
}

const differs = ({ content }: MetricDraft, deployed: MetricVersion) =>
  JSON.stringify(bodyOf(content)) !== JSON.stringify(bodyOf(deployed.content));

interface VersionsProps extends DefinitionProps {
  readonly versions: readonly MetricVersion[];
}

function Versions({ metric, versions, deployed }: VersionsProps) {
  const { project, search, choose } = useEvaluatorAddress();
  const client = useQueryClient();
  const { setDraft } = useDraft(project, metric.id);
  const named = (name: string | undefined) => versions.find((version) => version.name === name);
  const current = named(search.version) ?? versions.at(-1) ?? deployed;
  const before = versions[versions.indexOf(current) - 1];
  const against = named(search.against) ?? (current === deployed ? (before ?? deployed) : deployed);
  const deploy = async ({ name }: MetricVersion) => {
    try {
      await deployVersion({ project, metricId: metric.id }, name, deployed.name);
      notify(`${name} is deployed`);
    } catch (error) {
      notify(`Not deployed: ${error instanceof Error ? error.message : String(error)}`);
    }
    for (const key of ['metric', 'metrics', 'metric versions'])
      await client.invalidateQueries({ queryKey: [key, project] });
  };
  const mayWrite = useMay('metrics:write');
  return (
    <div className="evaluator-versions">
      {!mayWrite && (
        <p className="evaluators-note">Deploying needs the permission metrics:write, which this key lacks.</p>
      )}
      <VersionList
        {...{ versions, current, against, mayWrite, onChoose: choose, onDeploy: (one) => void deploy(one) }}
        onEdit={(version) => {
          setDraft(draftOf(version, deployed));
          choose({ view: undefined });
        }}
      />
    </div>
  );
}
