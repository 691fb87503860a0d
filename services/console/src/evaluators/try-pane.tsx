import { useState } from 'react';
import { isUuid } from '@assay/domain/browser';
import { formatCost } from '../format/cost.js';
import { formatCount } from '../format/number.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { keyNames } from '../keyboard/commands.js';
import { useCommands } from '../keyboard/dispatch.js';
import { AttemptResult } from './attempt-result.js';
import type { Definition } from './describe.js';
import { missingIn } from './draft.js';
import { kindOf } from './kinds.js';
import { NumberField } from './number-field.js';
import type { AttemptState, Tried } from './use-attempt.js';
import { Elapsed } from './elapsed.js';

interface Props {
  readonly content: Definition;
  readonly state: AttemptState;
  /** The pinned event; undefined: the newest ones that match. */
  readonly eventId: string | undefined;
  /** What the key lacks; undefined when it may try. */
  readonly lacks: string | undefined;
  readonly onPin: (eventId: string | undefined) => void;
  readonly onTry: (on: Tried) => void;
  readonly onStop: () => void;
}

const DEFAULT_NEWEST = 10;
const MAX_NEWEST = 50;
/** Calls of a model that need no question before. */
const FREE_CALLS = 10;

/** Tries the draft on stored events, before it scores any. */
export function TryPane(props: Props) {
  const { content, state, eventId, lacks, onPin, onTry } = props;
  const [newest, setNewest] = useState(DEFAULT_NEWEST);
  const [isAsking, setAsking] = useState(false);
  const on: Tried = eventId === undefined ? { newest } : { eventId };
  const missing = lacks ?? missingIn(content);
  const mayTry = missing === undefined && isComplete(on) && state.kind !== 'running';
  const begin = () => {
    if (!mayTry) return;
    const calls = kindOf(content).asksModel && 'newest' in on ? on.newest : 1;
    if (calls > FREE_CALLS) setAsking(true);
    else onTry(on);
  };
  useCommands({ metricTry: begin });
  return (
    <section className="evaluator-try" aria-label="Try">
      <Choice {...{ ...props, newest, mayTry, onNewest: setNewest, onBegin: begin }} />
      {missing !== undefined && <p className="evaluators-note">{missing}</p>}
      {state.kind === 'running' && <Elapsed since={state.beganAt} />}
      {state.kind === 'failed' && (
        <Failure title="The draft could not be tried" error={state.error} onRetry={begin} />
      )}
      {state.kind === 'done' && <AttemptResult attempt={state.attempt} content={content} onPin={onPin} />}
      <CostQuestion
        {...{ isOpen: isAsking, calls: newest, state, onClose: () => setAsking(false) }}
        onAgree={() => {
          setAsking(false);
          onTry(on);
        }}
      />
    </section>
  );
}

const isComplete = (on: Tried) =>
  'eventId' in on
    ? isUuid(on.eventId)
    : Number.isInteger(on.newest) && on.newest >= 1 && on.newest <= MAX_NEWEST;

interface ChoiceProps extends Props {
  readonly newest: number;
  readonly mayTry: boolean;
  readonly onNewest: (newest: number) => void;
  readonly onBegin: () => void;
}

/** Which events the draft is tried on. */
function Choice({ eventId, newest, mayTry, state, onPin, onNewest, onBegin, onStop }: ChoiceProps) {
  const isWrong = eventId !== undefined && eventId !== '' && !isUuid(eventId);
  return (
    <div className="evaluator-try-head">
      <div className="segments" role="group" aria-label="Try on">
        <button
          {...{ type: 'button', className: 'segment', 'aria-pressed': eventId === undefined }}
          onClick={() => onPin(undefined)}
        >
          newest that match
        </button>
        <button
          {...{ type: 'button', className: 'segment', 'aria-pressed': eventId !== undefined }}
          onClick={() => onPin(eventId ?? '')}
        >
          one event
        </button>
      </div>
      {eventId === undefined ? (
        <NumberField
          {...{ label: 'Events', value: newest, min: 1, max: MAX_NEWEST }}
          onChange={(count) => onNewest(count ?? 0)}
        />
      ) : (
        <Field
          {...{ label: 'Id of the event', value: eventId, spellCheck: false }}
          error={isWrong ? 'not the id of an event' : undefined}
          onChange={(id) => onPin(id.trim().toLowerCase())}
        />
      )}
      {state.kind === 'running' ? (
        <Button label="Stop" onPress={onStop} />
      ) : (
        <Button
          {...{ label: `Try (${keyNames('metricTry')[0] ?? ''})`, isDisabled: !mayTry, onPress: onBegin }}
        />
      )}
    </div>
  );
}

interface QuestionProps {
  readonly isOpen: boolean;
  readonly calls: number;
  readonly state: AttemptState;
  readonly onAgree: () => void;
  readonly onClose: () => void;
}

/** Asks before a model is called often. */
function CostQuestion({ isOpen, calls, state, onAgree, onClose }: QuestionProps) {
  return (
    <Dialog title={`Ask the model up to ${formatCount(calls)} times?`} isOpen={isOpen} onClose={onClose}>
      <div className="dialog-body">
        <p>{costText(calls, state)}</p>
        <div className="dialog-actions">
          <Button label="Cancel" onPress={onClose} />
          <Button {...{ kind: 'primary', label: 'Ask the model', autoFocus: true, onPress: onAgree }} />
        </div>
      </div>
    </Dialog>
  );
}

function costText(calls: number, state: AttemptState): string {
  const costs = state.kind === 'done' ? state.attempt.events.map(({ cost }) => cost) : [];
  const known = costs.filter((cost) => cost !== null && cost > 0);
  const each = known.reduce<number>((sum, cost) => sum + (cost ?? 0), 0) / known.length;
  return known.length === 0
    ? 'Each call is paid for. What one costs is not known before the first: try one event to see it.'
    : `Each call is paid for: about ${formatCost(each * calls)}, by the last ones at ${formatCost(each)} each.`;
}
