import { useId, useState } from 'react';
import { Button } from '../../ui/button.js';
import type { FileKind } from './read-rows.js';
import type { ChosenFile } from './use-import.js';

interface Props {
  readonly problem: string | undefined;
  readonly onFile: (file: ChosenFile) => void;
}

const MAX_BYTES = 100_000_000;

/** A file, or a text that is pasted. A file that is too large is refused before it is read. */
export function FileChoice({ problem, onFile }: Props) {
  const id = useId();
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<string>();
  const choose = async (name: string, file: Blob) => {
    setRefused(file.size > MAX_BYTES ? `${name} is larger than 100 MB` : undefined);
    if (file.size <= MAX_BYTES) onFile({ name, file, kind: await kindOf(name, file) });
  };
  const fault = refused ?? problem;
  return (
    <>
      <label className="field">
        <span>CSV with a line of names, or one JSON object on each line</span>
        <input
          {...{ type: 'file', className: 'input', accept: '.csv,.tsv,.txt,.jsonl,.ndjson' }}
          onChange={({ currentTarget: { files } }) => {
            const file = files?.[0];
            if (file !== undefined) void choose(file.name, file);
          }}
        />
      </label>
      <div className="field">
        <label htmlFor={id}>Or paste rows</label>
        <textarea
          {...{ id, className: 'input datasets-json', rows: 6, value: text, spellCheck: false }}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {fault !== undefined && (
        <p className="field-error" role="alert">
          {fault}
        </p>
      )}
      <p>
        <Button
          {...{ label: 'Read the pasted rows', isDisabled: text.trim() === '' }}
          onPress={() => void choose('The text', new Blob([text]))}
        />
      </p>
    </>
  );
}

/** By the name of the file, else by its first character. */
async function kindOf(name: string, file: Blob): Promise<FileKind> {
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return 'jsonl';
  if (/\.(?:csv|tsv)$/i.test(name)) return 'csv';
  return (await file.slice(0, 1_000).text()).trimStart().startsWith('{') ? 'jsonl' : 'csv';
}
