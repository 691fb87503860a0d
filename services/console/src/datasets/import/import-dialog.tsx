import { formatCount } from '../../format/number.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { ColumnRoles } from './column-roles.js';
import { FileChoice } from './file-choice.js';
import { SampleTable } from './sample-table.js';
import { useImport, type ImportState } from './use-import.js';
import type { UploadState } from './use-upload.js';
import '../datasets.css';

interface Props {
  readonly project: string;
  readonly datasetId: string;
  readonly onClose: () => void;
}

/** Adds the rows of a CSV or JSONL file to a dataset, after it has been seen what they will contain. */
export function ImportDialog({ project, datasetId, onClose }: Props) {
  const { state, inspect, setRole, upload, cancel } = useImport(project, datasetId);
  const close = () => {
    cancel();
    onClose();
  };
  return (
    <Dialog title="Add rows of a file" isOpen wide onClose={close}>
      <div className="dialog-body">
        {state.kind === 'empty' && <FileChoice problem={state.problem} onFile={inspect} />}
        {state.kind === 'reading' && <p role="status">Reading {state.name} …</p>}
        {state.kind === 'read' && (
          <>
            <Facts state={state} />
            <ColumnRoles columns={state.inspection.columns} roles={state.roles} onChange={setRole} />
            <SampleTable inspection={state.inspection} />
          </>
        )}
        {(state.kind === 'sending' || state.kind === 'stopped') && <Progress state={state} />}
        {state.kind === 'done' && <p role="status">{doneText(state.added)}</p>}
        <div className="dialog-actions">
          <Button label={state.kind === 'done' ? 'Close' : 'Cancel'} onPress={close} />
          {state.kind === 'read' && (
            <Button
              {...{ kind: 'primary', isDisabled: state.inspection.rows === 0 }}
              label={`Add ${rowsText(state.inspection.rows)}`}
              onPress={upload}
            />
          )}
          {state.kind === 'stopped' && <Button kind="primary" label="Continue" onPress={upload} />}
        </div>
      </div>
    </Dialog>
  );
}

const rowsText = (rows: number) => (rows === 1 ? '1 row' : `${formatCount(rows)} rows`);

const doneText = (added: number) => `${rowsText(added)} ${added === 1 ? 'is' : 'are'} in the dataset.`;

/** Lines that are listed; the rest is counted. */
const LISTED = 20;

function Facts({ state }: { readonly state: Extract<ImportState, { kind: 'read' }> }) {
  const { rows, problems, problemCount } = state.inspection;
  return (
    <>
      <p role="status">
        {state.name}: {rowsText(rows)}
        {rows === 0 && ', so that there is nothing to add'}
        {problemCount > 0 &&
          `, and ${formatCount(problemCount)} ${problemCount === 1 ? 'line is' : 'lines are'} left out`}
        .
      </p>
      {problemCount > 0 && (
        <ul className="datasets-preview" tabIndex={0} aria-label="Lines that are left out">
          {problems.slice(0, LISTED).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
          {problemCount > LISTED && <li>and {formatCount(problemCount - LISTED)} more</li>}
        </ul>
      )}
    </>
  );
}

function Progress({ state }: { readonly state: Exclude<UploadState, { kind: 'done' }> }) {
  return (
    <>
      <p role="status">
        {formatCount(state.sent)} / {rowsText(state.total)} sent
      </p>
      <progress max={state.total} value={state.sent} aria-label="Rows sent" />
      {state.kind === 'stopped' && (
        <p className="field-error" role="alert">
          {state.problem} Rows that were sent before are in the dataset; continuing adds none of them again.
        </p>
      )}
    </>
  );
}
