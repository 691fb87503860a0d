import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { formatBytes } from '../format/bytes.js';
import { formatCount } from '../format/number.js';
import { useCommands } from '../keyboard/dispatch.js';
import { Failure } from '../ui/failure.js';
import { ClampedText } from './clamped-text.js';
import type { RowView } from './describe-row.js';
import { MediaChip } from './media-chip.js';
import type { DocumentRequest } from './payload-functions.js';
import { payloads } from './payload-client.js';
import { RowActions } from './row-actions.js';
import { useDocument, type OpenDocument } from './use-document.js';
import './json-rows.css';

interface Props {
  readonly document: DocumentRequest;
}

/** A payload of any size as a tree of its bytes, which a worker has. */
export function JsonRows({ document }: Props) {
  const open = useDocument(document);
  const [current, setCurrent] = useState<number>();
  if (open.error !== undefined)
    return <Failure title="The payload could not be read" error={open.error} onRetry={open.retry} />;
  if (open.view === undefined) return <p className="json-loading">Reading {document.field}…</p>;
  if (open.view.isEmpty) return <p className="json-loading">No {document.field}.</p>;
  return (
    <div className="json">
      <Find document={document} open={open} bytes={open.view.bytes} onFound={setCurrent} />
      <Rows document={document} open={open} count={open.view.rows} current={current} onCurrent={setCurrent} />
    </div>
  );
}

interface FindProps extends Props {
  readonly open: OpenDocument;
  readonly bytes: number;
  readonly onFound: (row: number) => void;
}

/** Search in the stored text. */
function Find({ document, open, bytes, onFound }: FindProps) {
  const [query, setQuery] = useState('');
  const [matches, setMatches] = useState<readonly number[]>([]);
  const [at, setAt] = useState(-1);
  const go = async (next: number, among = matches) => {
    if (among.length === 0) return;
    const nth = (next + among.length) % among.length;
    setAt(nth);
    onFound(await open.reveal(among[nth] ?? 0));
  };
  const search = async (text: string) => {
    setQuery(text);
    const found = text === '' ? [] : await payloads.call('search', { ...document, query: text });
    setMatches(found);
    setAt(-1);
    await go(0, found);
  };
  useCommands(
    matches.length === 0 ? {} : { matchNext: () => void go(at + 1), matchPrevious: () => void go(at - 1) },
  );
  return (
    <div className="json-find">
      <input
        className="input"
        type="search"
        value={query}
        aria-label={`Find in ${document.field}`}
        placeholder={`Find in ${formatBytes(bytes)}`}
        onChange={(event) => void search(event.target.value)}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && void go(shiftKey ? at - 1 : at + 1)}
      />
      <span className="json-count" role="status">
        {query !== '' &&
          `${formatCount(at + 1)} of ${formatCount(matches.length)}${matches.length >= 10_000 ? '+' : ''}`}
      </span>
      <RowActions document={document} row={0} whole />
    </div>
  );
}

interface RowsProps extends Props {
  readonly open: OpenDocument;
  readonly count: number;
  readonly current: number | undefined;
  readonly onCurrent: (row: number) => void;
}

function Rows({ document, open, count, current, onCurrent }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => 24,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { show } = open;
  useEffect(() => show(first, last), [show, first, last, open.view]);
  useEffect(() => {
    if (current !== undefined) virtual.scrollToIndex(current, { align: 'center' });
  }, [current, virtual]);
  return (
    <div
      className="json-rows"
      ref={scroller}
      tabIndex={0}
      role="group"
      aria-label={`Rows of ${document.field}`}
    >
      <div style={{ height: virtual.getTotalSize() }} className="json-space">
        {items.map(({ index, start }) => (
          <div
            key={index}
            ref={virtual.measureElement}
            data-index={index}
            className={`json-row${index === current ? ' json-current' : ''}`}
            style={{ transform: `translateY(${String(start)}px)` }}
          >
            <OneRow
              row={open.rowAt(index)}
              document={document}
              onToggle={() => void open.toggle(index)}
              onCurrent={onCurrent}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

interface RowProps extends Props {
  readonly row: RowView | undefined;
  readonly onToggle: () => void;
  readonly onCurrent: (row: number) => void;
}

function OneRow({ row, document, onToggle, onCurrent }: RowProps) {
  if (row === undefined) return <span className="json-line">…</span>;
  const indent = { paddingLeft: Math.min(row.depth, 40) * 14 + 12 };
  if (row.kind === 'more')
    return (
      <div className="json-line" style={indent}>
        <button type="button" className="text-button" onClick={onToggle}>
          Show more of {formatCount(row.count)}
        </button>
      </div>
    );
  const isContainer = row.kind === 'object' || row.kind === 'array';
  return (
    <div className="json-line" style={indent} onClick={() => onCurrent(row.row)}>
      {isContainer && row.count > 0 ? (
        <button
          type="button"
          className={`json-fold${row.isOpen ? ' json-open' : ''}`}
          aria-expanded={row.isOpen}
          onClick={onToggle}
        >
          <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
            <path d="m3 1 4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
          <Label row={row} field={document.field} />
        </button>
      ) : (
        <span className="json-leaf">
          <Label row={row} field={document.field} />
        </span>
      )}
      <RowValue row={row} document={document} />
      <RowActions document={document} row={row.row} />
    </div>
  );
}

function Label({ row, field }: { readonly row: RowView; readonly field: string }) {
  if (row.depth > 40) return <bdi className="json-key">{`(${String(row.depth)}) ${row.label}`}</bdi>;
  return <bdi className="json-key">{row.depth === 0 ? field : row.label === '' ? '""' : row.label}</bdi>;
}

function RowValue({ row, document }: { readonly row: RowView; readonly document: DocumentRequest }) {
  const { kind, text, rest, mimeType, count } = row;
  if (kind === 'object')
    return <span className="json-size">{count === 0 ? '{}' : `{${formatCount(count)}}`}</span>;
  if (kind === 'array')
    return <span className="json-size">{count === 0 ? '[]' : `[${formatCount(count)}]`}</span>;
  if (mimeType !== undefined)
    return (
      <MediaChip
        part={{
          kind: 'media',
          medium: '',
          mimeType,
          name: '',
          dataUrl: '',
          elsewhere: '',
          ...(rest && { rest }),
        }}
        document={document}
      />
    );
  if (kind !== 'text') return <span className={`json-${kind}`}>{text}</span>;
  return (
    <div className="json-text">
      {text === '' ? '""' : <ClampedText text={text} rest={rest} document={document} mono />}
    </div>
  );
}
