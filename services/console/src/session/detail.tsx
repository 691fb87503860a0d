import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { evaluationsOfEvent } from '../api/session-tree.js';
import { useCommands } from '../keyboard/dispatch.js';
import { JsonRows } from '../payload/json-rows.js';
import { MessageList } from '../payload/message-list.js';
import { payloads } from '../payload/payload-client.js';
import { documentOf, sourceKey, type PayloadSource } from '../payload/source.js';
import { Failure } from '../ui/failure.js';
import { versionOf } from './conversation-steps.js';
import { eventNumbers } from './event-numbers.js';
import { EventName } from './event-name.js';
import { Evaluations } from './evaluations.js';
import { Notes } from './notes.js';
import { PARTS, type Mode, type Part } from './session-view.js';
import { printScore } from './print-score.js';
import type { LoadedSession } from './use-session.js';
import './detail.css';

interface Props {
  readonly project: string;
  readonly loaded: LoadedSession;
  readonly event: number;
  readonly mode: Mode;
  readonly part: Part;
  readonly onPart: (part: Part) => void;
}

const LABELS: Readonly<Record<Part, string>> = {
  input: 'Input',
  output: 'Output',
  metadata: 'Metadata',
  scores: 'Scores',
  evaluations: 'Evaluations',
};

/** One event: what it was given, what it returned, and what is known about it. */
export function Detail(props: Props) {
  const { project, loaded, event, part, onPart } = props;
  const { events, tag } = loaded;
  const source = { project, eventId: events.ids[event] ?? '', version: versionOf(events, event, tag) };
  const scores = Object.keys(events.scores[event] ?? {}).length;
  const [noteFocus, setNoteFocus] = useState(0);
  useEffect(() => setNoteFocus(0), [source.eventId]);
  useCommands({
    note: () => {
      if (part !== 'scores') onPart('scores');
      setNoteFocus((before) => before + 1);
    },
  });
  return (
    <section className="detail" aria-label="Event">
      <header className="detail-head">
        <EventName loaded={loaded} event={event} />
        <span className="detail-numbers">{eventNumbers(events, event)}</span>
      </header>
      {events.errors[event] !== undefined && (
        <p className="detail-error">
          <strong>✕ Error</strong> <bdi>{events.errors[event]}</bdi>
        </p>
      )}
      <nav className="detail-parts" aria-label="Parts of the event">
        {PARTS.map((one, at) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === part}
            className="detail-part"
            onClick={() => onPart(one)}
          >
            <kbd aria-hidden="true">{at + 1}</kbd>
            {LABELS[one]}
            {one === 'scores' && scores > 0 && <span className="detail-count">{scores}</span>}
          </button>
        ))}
      </nav>
      <PartContent key={source.eventId + part} {...props} source={source} noteFocus={noteFocus} />
    </section>
  );
}

function PartContent({
  project,
  loaded,
  event,
  mode,
  part,
  source,
  noteFocus,
}: Props & { readonly source: PayloadSource; readonly noteFocus: number }) {
  switch (part) {
    case 'input':
    case 'output':
      return mode === 'raw' ? (
        <JsonRows document={documentOf(source, part === 'input' ? 'inputs' : 'outputs')} />
      ) : (
        <Formatted source={source} part={part} />
      );
    case 'metadata':
      return (
        <div className="detail-fields">
          {(['metadata', 'config', 'user_properties'] as const).map((field) => (
            <JsonRows key={field} document={documentOf(source, field)} />
          ))}
        </div>
      );
    case 'scores':
      return <Scores scores={loaded.events.scores[event] ?? {}} source={source} noteFocus={noteFocus} />;
    case 'evaluations':
      return <EvaluationList project={project} eventId={source.eventId} version={source.version} />;
  }
}

/** Messages, or fields with their names. The raw view has the bytes. */
function Formatted({ source, part }: { readonly source: PayloadSource; readonly part: 'input' | 'output' }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['exchange', ...sourceKey(source)],
    queryFn: () => payloads.call('exchange', source),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
    structuralSharing: false,
  });
  if (error !== null)
    return <Failure title="The payload could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="step-loading">Reading…</p>;
  const messages = part === 'input' ? data.asked : data.answered;
  if (messages.length === 0) return <p className="step-loading">No {part}s.</p>;
  return (
    <div className="detail-scroll" tabIndex={0} role="group" aria-label={LABELS[part]}>
      <MessageList messages={messages} source={source} field={part === 'input' ? 'inputs' : 'outputs'} />
    </div>
  );
}

interface ScoresProps {
  readonly noteFocus: number;
  readonly scores: Readonly<Record<string, unknown>>;
  readonly source: PayloadSource;
}

function Scores({ scores, source, noteFocus }: ScoresProps) {
  return (
    <div className="detail-fields">
      {Object.keys(scores).length > 0 && (
        <dl className="detail-scores">
          {Object.entries(scores).map(([name, value]) => (
            <div key={name}>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd>
                <bdi>{printScore(value)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Notes key={source.eventId} source={source} focus={noteFocus} />
      <JsonRows document={documentOf(source, 'metrics')} />
      <JsonRows document={documentOf(source, 'feedback')} />
    </div>
  );
}

function EvaluationList({
  project,
  eventId,
  version,
}: {
  readonly project: string;
  readonly eventId: string;
  readonly version: string;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ['evaluations', project, eventId, version],
    queryFn: ({ signal }) => evaluationsOfEvent(project, eventId, signal),
    retry: false,
  });
  if (error !== null)
    return <Failure title="The evaluations could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="step-loading">Reading…</p>;
  return <Evaluations {...{ project, eventId, evaluations: data.evaluations }} />;
}

/** Reads the payloads of an event before a person looks at them. */
export function usePrefetch(project: string, loaded: LoadedSession, events: readonly number[]): void {
  const key = events.join();
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const event of events) {
        const source = {
          project,
          eventId: loaded.events.ids[event] ?? '',
          version: versionOf(loaded.events, event, loaded.tag),
        };
        void payloads.call('exchange', source).catch(() => undefined);
      }
    }, 150);
    return () => clearTimeout(timer);
    // The list is new with each render; its events are what matters.
  }, [project, loaded, key]);
}
