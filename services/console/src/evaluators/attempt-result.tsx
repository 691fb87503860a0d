import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Attempt, TriedEvent } from '../api/metrics.js';
import { formatCost } from '../format/cost.js';
import { formatDuration } from '../format/duration.js';
import { printName } from '../format/name.js';
import { formatCount, formatScore, formatTokens, formatValue } from '../format/number.js';
import { useProject } from '../url/use-project.js';
import type { Definition } from './describe.js';
import { withoutLine } from './draft.js';
import { kindOf } from './kinds.js';

interface Props {
  readonly attempt: Attempt;
  readonly content: Definition;
  readonly onPin: (eventId: string) => void;
}

/** What a draft says about each event that it was tried on. */
export function AttemptResult({ attempt, content, onPin }: Props) {
  const { events, missing_ids: missing } = attempt;
  return (
    <>
      <p className="evaluator-facts" role="status">
        {summaryOf(attempt, content)}
      </p>
      {missing.length > 0 && <p className="field-error">The project has no event with this id.</p>}
      <ul className="tried">
        {events.map((event) => (
          <li key={event.event_id}>
            <Tried event={event} onPin={onPin} />
          </li>
        ))}
      </ul>
    </>
  );
}

function summaryOf({ events, matched }: Attempt, content: Definition): string {
  const sampled = events.filter((event) => event.sampled).length;
  const failed = events.filter(({ error }) => error !== null).length;
  const costs = events.map(({ cost }) => cost);
  const cost = costs.includes(null) ? null : costs.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  return [
    `matches ${formatCount(matched.events)} of the last ${formatCount(matched.of)} events`,
    ...(kindOf(content).isEvaluated
      ? [
          `sampled ${formatCount(sampled)} of ${formatCount(events.length)} tried (${formatScore(content.sampling_percentage)} %)`,
        ]
      : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(kindOf(content).asksModel ? [`cost ${cost === null ? 'unknown' : formatCost(cost)}`] : []),
  ].join(' · ');
}

interface TriedProps {
  readonly event: TriedEvent;
  readonly onPin: (eventId: string) => void;
}

/** One event with its score. Texts are drawn once a person opens it. */
function Tried({ event, onPin }: TriedProps) {
  const project = useProject();
  const { event_id: id, event_name: name, error, value, matches } = event;
  const [isOpen, setOpen] = useState(error !== null);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="tried-head">
        <bdi className="tried-name">{printName(name)}</bdi>
        {error === null ? (
          <strong className="tried-value">{printName(formatValue(value))}</strong>
        ) : (
          <strong className="tried-error">✕ {error.code.replaceAll('_', ' ')}</strong>
        )}
        {matches !== true && (
          <span className="tried-note">{matches === null ? 'match not decided' : 'does not match'}</span>
        )}
        <span className="tried-note">{formatDuration(event.duration_ms)}</span>
        {event.prompt !== null && (
          <span className="tried-note">
            {formatTokens(event.prompt_tokens)} → {formatTokens(event.completion_tokens)} tokens ·{' '}
            {formatCost(event.cost)}
          </span>
        )}
      </summary>
      {isOpen && (
        <div className="tried-body">
          {error !== null && (
            <p className="field-error">
              {error.line !== null && `Line ${error.line}: `}
              <bdi>{error.line === null ? error.message : withoutLine(error.message)}</bdi>
            </p>
          )}
          <Text label="Explanation" text={event.explanation} />
          <Text label="Printed" text={event.stdout} limit={STDOUT_LIMIT} />
          <Text label="Prompt" text={event.prompt} limit={TEXT_LIMIT} />
          <Text label="Reply" text={event.reply} limit={TEXT_LIMIT} />
          <p className="evaluator-facts">
            <button type="button" className="text-button" onClick={() => onPin(id)}>
              Try on this event only
            </button>
            <SessionLink project={project} id={id} />
          </p>
        </div>
      )}
    </details>
  );
}

/** The list of events with this one: tries name no session. */
function SessionLink({ project, id }: { readonly project: string; readonly id: string }) {
  return (
    <Link to="/p/$project/events" params={{ project }} search={{ f: [`event_id:is:${id}`] }}>
      Show the event
    </Link>
  );
}

/** Where the server cuts texts. */
const STDOUT_LIMIT = 65_536;
const TEXT_LIMIT = 65_536;

interface TextProps {
  readonly label: string;
  readonly text: string | null;
  readonly limit?: number;
}

function Text({ label, text, limit = Infinity }: TextProps) {
  if (text === null || text === '') return null;
  // A limit of bytes cuts texts of other scripts after fewer characters.
  const isCut = new TextEncoder().encode(text).length >= limit - 3;
  return (
    <section aria-label={label}>
      <h4 className="tried-label">
        {label}
        {isCut && ': the first 64 KiB'}
      </h4>
      <pre className="tried-text" tabIndex={0} role="group" aria-label={`Text of ${label}`} dir="auto">
        {text}
      </pre>
    </section>
  );
}
