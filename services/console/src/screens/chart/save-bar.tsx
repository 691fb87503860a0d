import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { addChart, changeChart, removeChart, type Chart } from '../../api/charts.js';
import { useMay } from '../../api/use-session.js';
import { bodyOf, type Definition } from '../../charts/definition.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { notify } from '../../ui/toast.js';

interface Props {
  readonly project: string;
  readonly saved: Chart | undefined;
  readonly definition: Definition;
  /** Name of a chart that was offered. */
  readonly suggested: string | undefined;
}

/** Saves the chart under a name, changes the saved one, or deletes it. */
export function SaveBar({ project, saved, definition, suggested }: Props) {
  const mayWrite = useMay('charts:write');
  const [name, setName] = useState(saved?.name ?? suggested ?? '');
  const [isDeleting, setDeleting] = useState(false);
  const { failure, save, remove } = useSaving(project, saved);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(name, definition);
  };
  return (
    <>
      <form className="charts-head" onSubmit={submit}>
        <Field
          {...{ label: 'Name', value: name, maxLength: 200, readOnly: !mayWrite, error: failure }}
          onChange={setName}
        />
        <Button
          {...{ type: 'submit', kind: 'primary', isDisabled: !mayWrite || name.trim() === '' }}
          label={saved === undefined ? 'Save the chart' : 'Save the changes'}
        />
        {saved !== undefined && mayWrite && (
          <Button
            {...{ kind: 'quiet', icon: 'trash', label: 'Delete the chart' }}
            onPress={() => setDeleting(true)}
          />
        )}
        {!mayWrite && (
          <span className="muted">
            The key of this session may not save charts (<code>charts:write</code>).
          </span>
        )}
      </form>
      <Dialog title="Delete the chart?" isOpen={isDeleting} onClose={() => setDeleting(false)}>
        <div className="dialog-body">
          <p>The events stay.</p>
          <div className="dialog-actions">
            <Button label="Cancel" onPress={() => setDeleting(false)} />
            <Button {...{ kind: 'danger', icon: 'trash', label: 'Delete' }} onPress={() => void remove()} />
          </div>
        </div>
      </Dialog>
    </>
  );
}

function useSaving(project: string, saved: Chart | undefined) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string>();
  async function run(work: () => Promise<unknown>, done: string): Promise<void> {
    setFailure(undefined);
    try {
      await work();
      notify(done);
      await client.invalidateQueries({ queryKey: ['charts', project] });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  }
  const save = (name: string, definition: Definition) =>
    run(async () => {
      const body = bodyOf(name, definition);
      if (saved !== undefined) return changeChart(project, saved.id, body);
      const { data } = await addChart(project, body);
      await client.invalidateQueries({ queryKey: ['charts', project] });
      return navigate({ to: '/p/$project/charts/$chart', params: { project, chart: data.id }, search: {} });
    }, 'The chart is saved');
  const remove = () =>
    run(async () => {
      if (saved === undefined) return;
      await removeChart(project, saved.id);
      await navigate({ to: '/p/$project/charts', params: { project }, search: {} });
    }, 'The chart is deleted');
  return { failure, save, remove };
}
