import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../api/call.js';
import { importRows } from '../../api/datasets.js';
import { formatCount } from '../../format/number.js';
import { imports } from './import-client.js';
import type { ImportBatch, ImportRequest } from './import-functions.js';

export type UploadState =
  | { readonly kind: 'sending'; readonly sent: number; readonly total: number }
  | { readonly kind: 'stopped'; readonly sent: number; readonly total: number; readonly problem: string }
  | { readonly kind: 'done'; readonly added: number };

interface Request {
  readonly total: number;
  readonly signal: AbortSignal;
  /** Absent: the upload that was stopped continues. */
  readonly begin?: ImportRequest;
}

/** What is on its way: a batch that failed is sent again, with the same ids. */
interface Progress {
  batch: ImportBatch | undefined;
  /** Rows of the batches before. */
  sent: number;
}

const NOTHING: Progress = { batch: undefined, sent: 0 };

/** Sends the rows of a file one request after the other, and says how far it is. */
export function useUpload(project: string, datasetId: string, setState: (state: UploadState) => void) {
  const client = useQueryClient();
  const progress = useRef<Progress>({ ...NOTHING });

  async function sendAll({ total, signal, begin }: Request): Promise<UploadState> {
    if (begin !== undefined) {
      progress.current = { ...NOTHING };
      await imports.call('begin', begin);
    }
    const now = progress.current;
    for (;;) {
      setState({ kind: 'sending', sent: now.sent, total });
      now.batch ??= await imports.call('batch', {});
      if (now.batch === undefined && now.sent < total)
        throw new Error(
          `${total - now.sent} of ${total} rows could not be read again, choose the file once more`,
        );
      if (now.batch === undefined) return { kind: 'done', added: now.sent };
      // The ids are new ones: what the dataset contains already was added by the same batch before, whose response was lost.
      await importRows(project, datasetId, now.batch.body, signal);
      now.sent += now.batch.rows;
      now.batch = undefined;
    }
  }

  async function send(request: Request): Promise<void> {
    const end = await sendAll(request).catch((error: unknown): UploadState => {
      const { batch, sent } = progress.current;
      return { kind: 'stopped', sent, total: request.total, problem: problemOf(error, batch) };
    });
    if (!request.signal.aborted) setState(end);
    for (const key of ['datapoints', 'dataset'])
      await client.invalidateQueries({ queryKey: [key, project, datasetId] });
    await client.invalidateQueries({ queryKey: ['datasets', project] });
  }

  return (request: Request) => void send(request);
}

/** What is known about the lines of a request that failed: without a response of the server they may be in the dataset. */
function problemOf(error: unknown, batch: ImportBatch | undefined): string {
  const text = `${error instanceof Error ? error.message : String(error)}.`;
  if (batch === undefined) return text;
  const isRefused = error instanceof ApiError && error.status < 500;
  const lines = `Lines ${formatCount(batch.firstLine)} to ${formatCount(batch.lastLine)}`;
  return `${lines} ${isRefused ? 'were not' : 'may not have been'} added: ${text}`;
}
