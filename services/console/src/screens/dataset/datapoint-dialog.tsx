import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { changeDatapoint, type Datapoint } from '../../api/datasets.js';
import { useMay } from '../../api/use-session.js';
import { jsonText } from '../../format/json-text.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toast.js';
import { bodyOfChange, PARTS, problemOf, type Part } from '../../datasets/datapoint-text.js';

interface Props {
  readonly project: string;
  readonly datapoint: Datapoint;
  readonly queryKey: readonly string[];
  readonly onClose: () => void;
}

const TITLES: Readonly<Record<Part, string>> = {
  inputs: 'Inputs',
  history: 'History',
  ground_truth: 'Expected output',
  metadata: 'Metadata',
};

const textsOf = (datapoint: Datapoint) =>
  Object.fromEntries(PARTS.map((part) => [part, jsonText(datapoint[part])])) as Record<Part, string>;

/** The parts of a datapoint as JSON, to be changed. Only what was changed is sent. */
export function DatapointDialog({ project, datapoint, queryKey, onClose }: Props) {
  const client = useQueryClient();
  const mayWrite = useMay('datapoints:write');
  const before = textsOf(datapoint);
  const [texts, setTexts] = useState(before);
  const [failure, setFailure] = useState<string>();
  const body = bodyOfChange(before, texts);
  const isBroken = PARTS.some((part) => problemOf(part, texts[part]) !== undefined);
  async function save(changed: string): Promise<void> {
    try {
      await changeDatapoint(project, datapoint.id, changed);
      notify('The datapoint is saved');
      await client.invalidateQueries({ queryKey });
      onClose();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <Dialog title={`Datapoint ${datapoint.id}`} isOpen wide onClose={onClose}>
      <div className="dialog-body">
        {PARTS.map((part) => (
          <PartField
            key={part}
            {...{ title: TITLES[part], text: texts[part], isReadOnly: !mayWrite }}
            problem={problemOf(part, texts[part])}
            onChange={(text) => setTexts({ ...texts, [part]: text })}
          />
        ))}
        {!mayWrite && (
          <p className="field-hint">
            The key of this session may not change datapoints (<code>datapoints:write</code>).
          </p>
        )}
        {failure !== undefined && (
          <p className="field-error" role="alert">
            Not saved: {failure}
          </p>
        )}
        <div className="dialog-actions">
          <Button label="Cancel" onPress={onClose} />
          <Button
            {...{ kind: 'primary', label: 'Save', isDisabled: !mayWrite || isBroken || body === undefined }}
            onPress={() => body !== undefined && void save(body)}
          />
        </div>
      </div>
    </Dialog>
  );
}

interface FieldProps {
  readonly title: string;
  readonly text: string;
  readonly problem: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

function PartField({ title, text, problem, isReadOnly, onChange }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{title}</label>
      <textarea
        {...{ id, value: text, readOnly: isReadOnly, spellCheck: false, rows: 4 }}
        className="input datasets-json"
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem !== undefined && (
        <p className="field-error" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
