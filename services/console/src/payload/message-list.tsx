import { useMemo } from 'react';
import type { PayloadField } from '../api/payload-stream.js';
import { ClampedText } from './clamped-text.js';
import { MediaChip } from './media-chip.js';
import type { Message, MessagePart } from './message.js';
import { pairCalls } from './pair-calls.js';
import type { DocumentRequest } from './payload-functions.js';
import { documentOf, type PayloadSource } from './source.js';
import './message-list.css';

interface Props {
  readonly messages: readonly Message[];
  readonly source: PayloadSource;
  readonly field: Extract<PayloadField, 'inputs' | 'outputs'>;
}

/** Messages as turns: who says what, calls of tools with their results. */
export function MessageList({ messages, source, field }: Props) {
  const turns = useMemo(() => pairCalls(messages), [messages]);
  const document = documentOf(source, field);
  return turns.map(({ message, results }, at) => (
    <OneMessage key={at} message={message} results={results} document={document} />
  ));
}

interface MessageProps {
  readonly message: Message;
  readonly results: readonly (Message | undefined)[];
  readonly document: DocumentRequest;
}

function OneMessage({ message, results, document }: MessageProps) {
  const { role, name, finishReason, parts, details } = message;
  const calls = parts.filter((part) => part.kind === 'call');
  return (
    <div className={`message message-${ROLES.has(role) ? role : 'other'}`}>
      <div className="message-role">
        <bdi>{role === '' ? 'message' : role}</bdi>
        {name !== '' && <bdi className="message-name">{name}</bdi>}
      </div>
      <div className="message-parts">
        {parts.length === 0 && details === '' && <span className="message-empty">no content</span>}
        {parts.map((part, at) => (
          <Part
            key={at}
            part={part}
            document={document}
            result={part.kind === 'call' ? results[calls.indexOf(part)] : undefined}
          />
        ))}
        {details !== '' && <Details label="details" text={details} document={document} />}
        {finishReason !== '' && !USUAL_ENDS.has(finishReason) && (
          <span className="message-end">ended by {finishReason}</span>
        )}
      </div>
    </div>
  );
}

const ROLES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'tool']);
/** Reasons to end that need no mention. */
const USUAL_ENDS: ReadonlySet<string> = new Set(['stop', 'end_turn', 'tool_calls', 'tool_use', 'completed']);

interface PartProps {
  readonly part: MessagePart;
  readonly document: DocumentRequest;
  readonly result?: Message | undefined;
}

function Part({ part, document, result }: PartProps) {
  switch (part.kind) {
    case 'text':
      return <ClampedText text={part.text} rest={part.rest} document={document} isProse />;
    case 'json':
      return <ClampedText text={part.text} document={document} mono />;
    case 'reasoning':
      return <Details label="reasoning" text={part.text} document={document} />;
    case 'field':
      return (
        <div className="message-field">
          <bdi className="message-key">{part.name}</bdi>
          <div>
            <ClampedText
              text={part.text === '' ? '""' : part.text}
              rest={part.rest}
              document={document}
              mono={part.isJson}
              isProse={!part.isJson}
            />
          </div>
        </div>
      );
    case 'call':
      return <Call part={part} document={document} result={result} />;
    case 'media':
      return <MediaChip part={part} document={document} />;
  }
}

function Call({
  part,
  document,
  result,
}: PartProps & { readonly part: Extract<MessagePart, { kind: 'call' }> }) {
  return (
    <div className="call">
      <div className="call-line">
        <span className="call-arrow" aria-hidden="true">
          →
        </span>
        <span className="visually-hidden">calls </span>
        <bdi className="call-name">{part.name === '' ? 'tool' : part.name}</bdi>
        <div className="call-values">
          <ClampedText text={oneLine(part.arguments)} document={document} mono />
        </div>
      </div>
      {result !== undefined && (
        <div className="call-line call-result">
          <span className="call-arrow" aria-hidden="true">
            ←
          </span>
          <span className="visually-hidden">result of </span>
          <bdi className="call-name">{part.name === '' ? 'tool' : part.name}</bdi>
          <div className="call-values">
            {result.parts.map((one, at) => (
              <Part key={at} part={one} document={document} />
            ))}
            {result.details !== '' && <Details label="details" text={result.details} document={document} />}
          </div>
        </div>
      )}
    </div>
  );
}

function Details({
  label,
  text,
  document,
}: {
  readonly label: string;
  readonly text: string;
  readonly document: DocumentRequest;
}) {
  return (
    <details className="message-details">
      <summary>{label}</summary>
      <ClampedText text={text} document={document} mono={label === 'details'} />
    </details>
  );
}

/** Short arguments are on one line, as they are written in code. */
function oneLine(text: string): string {
  return text.length > 160 ? text : text.replace(/\n\s*/g, ' ');
}
