import { useState } from 'react';
import { Icon } from '../ui/icon.js';
import type { DocumentRequest } from './payload-functions.js';
import { payloads } from './payload-client.js';

interface Props {
  readonly document: DocumentRequest;
  readonly row: number;
  /** The actions of the whole document. */
  readonly whole?: boolean;
}

/** Copies the path or the stored text of a row. */
export function RowActions({ document, row, whole }: Props) {
  const [status, setStatus] = useState('');
  const copy = async (what: 'path' | 'raw') => {
    try {
      await navigator.clipboard.writeText(await payloads.call(what, { ...document, row }));
      setStatus('copied');
    } catch {
      setStatus('not copied');
    }
  };
  const label = whole ? `Copy all of ${document.field}` : 'Copy the value';
  return (
    <span className={whole ? 'json-actions-whole' : 'json-actions'}>
      {!whole && (
        <button type="button" className="text-button" onClick={() => void copy('path')}>
          path
        </button>
      )}
      <button
        type="button"
        className="text-button"
        aria-label={label}
        title={label}
        onClick={() => void copy('raw')}
      >
        <Icon name="copy" size={14} />
      </button>
      <span role="status" className="json-status">
        {status}
      </span>
    </span>
  );
}
