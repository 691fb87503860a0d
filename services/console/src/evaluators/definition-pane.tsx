import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { allMetrics } from '../api/metrics.js';
import { useMay, useServes } from '../api/use-session.js';
import { InDataPlane } from '../plane/in-data-plane.js';
import { CodeEditor } from '../editor/code-editor.js';
import { DefinitionForm } from './definition-form.js';
import type { Definition } from './describe.js';
import { faultOf, FUNCTIONS, withoutLine, type MetricDraft } from './draft.js';
import { kindOf } from './kinds.js';
import { SelectField } from './select-field.js';
import { TryPane } from './try-pane.js';
import { useAttempt, type AttemptState } from './use-attempt.js';

interface Props {
  readonly project: string;
  /** Absent for a new metric. */
  readonly metricId?: string;
  readonly draft: MetricDraft;
  /** The draft of this moment. */
  readonly latest: () => MetricDraft;
  readonly onChange: (draft: MetricDraft) => void;
  /** Why the server refused the draft; undefined when it did not. */
  readonly refusal: Error | undefined;
  readonly eventId: string | undefined;
  readonly onPin: (eventId: string | undefined) => void;
  /** What can be done with the draft. */
  readonly actions: ReactNode;
}

/** The criteria in an editor with everything else of the definition beside it, and the draft tried below. */
export function DefinitionPane(props: Props) {
  const { project, metricId, draft, onChange, refusal, eventId, onPin, actions } = props;
  const { content } = draft;
  const mayWrite = useMay('metrics:write');
  const mayRead = useMay('events:read');
  const mayTry = useServes('tryMetric');
  const { state, start, stop } = useAttempt(project, metricId);
  const metrics = useQuery({
    queryKey: ['metrics', project],
    queryFn: ({ signal }) => allMetrics(project, signal),
  });
  const fault = useMemo(() => faultIn(content.criteria, refusal, state), [content.criteria, refusal, state]);
  const set = (next: Definition) => onChange({ ...draft, content: next });
  const lacks = [...(mayWrite ? [] : ['metrics:write']), ...(mayRead ? [] : ['events:read'])];
  return (
    <div className="evaluator-definition">
      <div className="evaluator-work">
        <Criteria content={content} isReadOnly={!mayWrite} fault={fault} onChange={set} />
        {!mayWrite && (
          <p className="evaluators-note">
            Changing and deploying need the permission metrics:write, which this key lacks.
          </p>
        )}
        {actions}
        {kindOf(content).isEvaluated && !mayTry && <InDataPlane what="Events to try it on" />}
        {kindOf(content).isEvaluated && mayTry && (
          <TryPane
            {...{ content, state, eventId, onPin, onStop: stop }}
            lacks={
              lacks.length === 0 ? undefined : `Trying needs ${lacks.join(' and ')}, which this key lacks.`
            }
            onTry={(on) => start(props.latest().content, on)}
          />
        )}
      </div>
      <DefinitionForm
        key={`${draft.base ?? 'new'} ${content.type}`}
        {...{ content, isNew: draft.base === undefined, isReadOnly: !mayWrite }}
        metrics={metrics.data?.metrics ?? []}
        onChange={set}
      />
    </div>
  );
}

interface CriteriaProps {
  readonly content: Definition;
  readonly isReadOnly: boolean;
  readonly fault: ReturnType<typeof faultOf>;
  readonly onChange: (content: Definition) => void;
}

function Criteria({ content, isReadOnly, fault, onChange }: CriteriaProps) {
  const { criteria } = content;
  const { language } = kindOf(content);
  if (language === undefined) {
    const known = FUNCTIONS.some((one) => one === criteria);
    const options = Object.fromEntries([...(known ? [] : [criteria]), ...FUNCTIONS].map((one) => [one, one]));
    return (
      <fieldset className="evaluator-plain" disabled={isReadOnly}>
        <SelectField
          {...{ label: 'Function', value: criteria, options }}
          onChange={(next) => onChange({ ...content, criteria: next })}
        />
      </fieldset>
    );
  }
  return (
    <CodeEditor
      {...{ label: 'Criteria', text: criteria, language, isReadOnly, fault }}
      onChange={(next) => onChange({ ...content, criteria: next })}
    />
  );
}

/** What is wrong in a line: what the server says about this text, never about another one. */
function faultIn(criteria: string, refusal: Error | undefined, state: AttemptState) {
  const refused = refusal && faultOf(refusal.message);
  if (refused !== undefined) return refused;
  if (!('criteria' in state) || state.criteria !== criteria) return undefined;
  if (state.kind === 'failed') return faultOf(state.error.message);
  const errors = state.attempt.events.map(({ error }) => error);
  const error = errors.find((one) => one !== null && one.line !== null);
  const line = error?.line ?? undefined;
  return error && line !== undefined ? { line, message: withoutLine(error.message) } : undefined;
}
