import { useVirtualizer } from '@tanstack/react-virtual';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { payloads } from '../payload/payload-client.js';
import { MessageList } from '../payload/message-list.js';
import { sourceKey, type PayloadSource } from '../payload/source.js';
import { Failure } from '../ui/failure.js';
import { conversationSteps, versionOf, type ConversationStep } from './conversation-steps.js';
import { stepOf } from './find-step.js';
import { eventNumbers } from './event-numbers.js';
import { EventName } from './event-name.js';
import type { LoadedSession } from './use-session.js';
import './conversation.css';

interface Props {
  readonly project: string;
  readonly loaded: LoadedSession;
  /** Event under the cursor, which need not be a step. */
  readonly cursor: number;
  readonly onMove: (event: number) => void;
  readonly onVisible: (first: number, last: number) => void;
}

/** A whole session as one conversation. Payloads are read for the steps in view. */
export function Conversation(props: Props) {
  const { loaded, cursor, onVisible } = props;
  const steps = useMemo(() => conversationSteps(loaded.events), [loaded.events]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: steps.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 120,
    getItemKey: (at) => loaded.events.ids[steps[at]?.event ?? 0] ?? at,
    overscan: 3,
  });
  const current = stepOf(steps, cursor);
  useEffect(() => {
    if (steps.length > 0) virtual.scrollToIndex(current, { align: 'auto' });
  }, [current, steps.length, virtual]);
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  useEffect(() => onVisible(startIndex, endIndex), [startIndex, endIndex, onVisible]);
  return (
    <div className="conversation" ref={scroller} tabIndex={0} role="feed" aria-label="Conversation">
      <div className="conversation-space" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className="conversation-item"
            style={{ transform: `translateY(${String(start)}px)` }}
          >
            <Step
              {...props}
              step={steps[index]}
              at={index}
              count={steps.length}
              isCurrent={index === current}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

interface StepProps extends Props {
  readonly step: ConversationStep | undefined;
  readonly at: number;
  readonly count: number;
  readonly isCurrent: boolean;
}

function Step({ project, loaded, step, at, count, isCurrent, onMove }: StepProps) {
  if (step === undefined) return null;
  const { events, tag } = loaded;
  const { event } = step;
  const sourceOf = (row: number): PayloadSource => ({
    project,
    eventId: events.ids[row] ?? '',
    version: versionOf(events, row, tag),
  });
  return (
    <article
      className={`step${isCurrent ? ' step-current' : ''}`}
      aria-posinset={at + 1}
      aria-setsize={count}
      aria-label={events.name[event] === '' ? 'unnamed' : events.name[event]}
      aria-current={isCurrent || undefined}
      onClick={() => onMove(event)}
    >
      <header className="step-head">
        <EventName loaded={loaded} event={event} />
        <span className="step-numbers">{eventNumbers(events, event)}</span>
      </header>
      <StepMessages source={sourceOf(event)} before={step.before.map(sourceOf)} />
    </article>
  );
}

export interface MessagesProps {
  readonly source: PayloadSource;
  readonly before: readonly PayloadSource[];
}

/** The messages of a step that those before it have not had. */
export const stepQuery = (source: PayloadSource, before: readonly PayloadSource[], showsAll = false) =>
  queryOptions({
    queryKey: ['step', ...sourceKey(source), before.map(({ eventId }) => eventId), showsAll],
    queryFn: () => payloads.call('step', { ...source, before: showsAll ? [] : before }),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
    structuralSharing: false,
  });

export function StepMessages({ source, before }: MessagesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { data, error, refetch } = useQuery(stepQuery(source, before, showsAll));
  if (error !== null)
    return <Failure title="The messages could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="step-loading">Reading…</p>;
  const { repeated, asked, answered } = data;
  return (
    <>
      {repeated > 0 && (
        <button type="button" className="text-button step-repeated" onClick={() => setShowsAll(true)}>
          {repeated === 1 ? '1 message' : `${String(repeated)} messages`} as before · show
        </button>
      )}
      <MessageList messages={asked} source={source} field="inputs" />
      {asked.length > 0 && answered.length > 0 && <hr className="step-divider" />}
      <MessageList messages={answered} source={source} field="outputs" />
      {repeated + asked.length + answered.length === 0 && (
        <p className="step-loading">No inputs and outputs.</p>
      )}
    </>
  );
}
