import { useEffect, useRef, useState } from 'react';
import type { Role } from './datapoint-rows.js';
import { imports } from './import-client.js';
import type { Inspection } from './import-functions.js';
import type { FileKind } from './read-rows.js';
import { useUpload, type UploadState } from './use-upload.js';

/** A file that a person has chosen, or a text that was pasted. */
export interface ChosenFile {
  readonly name: string;
  readonly file: Blob;
  readonly kind: FileKind;
}

export type ImportState =
  | { readonly kind: 'empty'; readonly problem?: string | undefined }
  | { readonly kind: 'reading'; readonly name: string }
  | {
      readonly kind: 'read';
      readonly name: string;
      readonly inspection: Inspection;
      readonly roles: ReadonlyMap<string, Role>;
    }
  | UploadState;

/** Reads a file in the worker, then sends its rows, request by request. */
export function useImport(project: string, datasetId: string) {
  const [state, setState] = useState<ImportState>({ kind: 'empty' });
  const chosen = useRef<ChosenFile>(undefined);
  const controller = useRef(new AbortController());
  const send = useUpload(project, datasetId, setState);
  const cancel = () => {
    controller.current.abort();
    imports.stop();
  };
  useEffect(() => {
    const { current } = controller;
    return () => current.abort();
  }, []);
  const inspect = (file: ChosenFile) => {
    const { signal } = controller.current;
    chosen.current = file;
    setState({ kind: 'reading', name: file.name });
    imports.call('inspect', { file: file.file, kind: file.kind }).then(
      (inspection) => {
        const roles = new Map(inspection.columns.map(({ name, role }) => [name, role]));
        if (!signal.aborted) setState({ kind: 'read', name: file.name, inspection, roles });
      },
      (error: Error) => {
        if (!signal.aborted) setState({ kind: 'empty', problem: `${file.name}: ${error.message}` });
      },
    );
  };
  const setRole = (name: string, role: Role) =>
    setState((now) => (now.kind === 'read' ? { ...now, roles: new Map(now.roles).set(name, role) } : now));
  const upload = () => {
    const { signal } = controller.current;
    if (state.kind === 'stopped') send({ total: state.total, signal });
    if (state.kind !== 'read' || chosen.current === undefined) return;
    const { file, kind } = chosen.current;
    send({
      total: state.inspection.rows,
      signal,
      begin: { file, kind, roles: [...state.roles], key: newKey() },
    });
  };
  return { state, inspect, cancel, setRole, upload };
}

/** 16 hexadecimal digits. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
