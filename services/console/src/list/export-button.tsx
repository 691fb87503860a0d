import { useRef, useState } from 'react';
import { exportEvents, type EventRow } from '../api/events.js';
import { formatBytes } from '../format/bytes.js';
import { Button } from '../ui/button.js';
import { notify } from '../ui/toast.js';
import { useProject } from '../url/use-project.js';
import type { ListKind } from './columns.js';

interface Props {
  readonly kind: ListKind;
  readonly rows: readonly EventRow[];
}

/** Downloads the selected rows with all their events, one JSON object per line. */
export function ExportButton({ kind, rows }: Props) {
  const project = useProject();
  const [bytes, setBytes] = useState<number>();
  const stop = useRef<AbortController>(undefined);
  async function start(): Promise<void> {
    stop.current = new AbortController();
    setBytes(0);
    try {
      save(await download(project, selectionOf(kind, rows), setBytes, stop.current.signal), `${kind}.ndjson`);
    } catch (error) {
      if (!stop.current.signal.aborted)
        notify(`The export failed: ${error instanceof Error ? error.message : ''}`);
    } finally {
      setBytes(undefined);
    }
  }
  if (bytes === undefined)
    return <Button icon="download" label="Export as NDJSON" onPress={() => void start()} />;
  return (
    <>
      <span role="status">Exporting … {formatBytes(bytes)}</span>
      <Button label="Cancel export" onPress={() => stop.current?.abort()} />
    </>
  );
}

function selectionOf(kind: ListKind, rows: readonly EventRow[]) {
  const field = kind === 'sessions' ? 'session_id' : 'event_id';
  const filter = { field, operator: 'in', value: rows.map(({ event_id: id }) => id), type: 'string' };
  return { filters: [filter], dateRange: '100y' };
}

/** Reads the stream of the server piece by piece. A response that breaks off is a failure, not a shorter file. */
async function download(
  project: string,
  selection: ReturnType<typeof selectionOf>,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const response = await exportEvents(project, selection, signal);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) break;
    parts.push(value);
    bytes += value.length;
    onBytes(bytes);
  }
  return new Blob(parts, { type: 'application/x-ndjson' });
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
