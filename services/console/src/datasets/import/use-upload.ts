import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { importRows } from '../../api/datasets.js';
import { imports } from './import-client.js';
import type { ImportBatch, ImportRequest } from './import-functions.js';

export type UploadState =
  | { readonly kind: 'sending'; readonly sent: number; readonly total: number }
  | { readonly kind: 'stopped'; readonly sent: number; readonly total: number; readonly problem: string }
  | { readonly kind: 'done'; readonly added: number; readonly present: number };

interface Request {
  readonly total: number;
  readonly signal: AbortSignal;
  /** Absent: the upload that was stopped continues. */
  readonly begin?: ImportRequest;
}

/** What is on its way: a batch that failed is sent again, with the same ids. */
interface Progress {
  batch: ImportBatch | undefined;
  sent: number;
  added: number;
  present: number;
}

const NOTHING: Progress = { batch: undefined, sent: 0, added: 0, present: 0 };

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
      if (now.batch === undefined) return { kind: 'done', added: now.added, present: now.present };
      const { added, present } = await importRows(project, datasetId, now.batch.body, signal);
      now.sent += now.batch.rows;
      now.added += added;
      now.present += present;
      now.batch = undefined;
    }
  }

  async function send(request: Request): Promise<void> {
    const end = await sendAll(request).catch((error: unknown): UploadState => {
      const text = error instanceof Error ? error.message : String(error);
      const { batch, sent } = progress.current;
      const lines =
        batch === undefined ? '' : `Lines ${batch.firstLine} to ${batch.lastLine} were not added: `;
      return { kind: 'stopped', sent, total: request.total, problem: `${lines}${text}.` };
    });
    if (!request.signal.aborted) setState(end);
    for (const key of ['datapoints', 'dataset'])
      await client.invalidateQueries({ queryKey: [key, project, datasetId] });
    await client.invalidateQueries({ queryKey: ['datasets', project] });
  }

  return (request: Request) => void send(request);
}
