import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { addVersion, versionsOfMetric, type MetricAddress, type MetricVersion } from '../api/metrics.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { notify } from '../ui/toast.js';
import { bodyOf, type MetricDraft } from './draft.js';

interface Props {
  readonly address: MetricAddress;
  readonly draft: MetricDraft;
  readonly onClose: () => void;
  /** The version that was made. */
  readonly onDone: (version: MetricVersion) => void;
  readonly onFailure: (error: Error) => void;
}

/** Makes a version of the draft, with a message, and deploys it unless a person says otherwise. */
export function DeployDialog({ onClose, ...props }: Props) {
  const [message, setMessage] = useState('');
  const { send, replaced, failure } = useDeployment(props);
  const isEmpty = message.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(message.trim(), true);
  };
  return (
    <Dialog title="Deploy the draft" isOpen onClose={onClose}>
      <form className="dialog-body" onSubmit={submit}>
        <Field
          {...{ label: 'What changes, in a sentence', value: message, maxLength: 1_000, autoFocus: true }}
          onChange={setMessage}
        />
        {replaced !== undefined && (
          <p className="field-error" role="alert">
            {props.draft.deployed} was deployed when the draft began. Meanwhile {replaced.name} was deployed
            {replaced.message !== '' && (
              <>
                : <bdi>{replaced.message}</bdi>
              </>
            )}
            . Deploying the draft replaces it.
          </p>
        )}
        {failure !== undefined && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
        <div className="dialog-actions">
          <Button label="Cancel" onPress={onClose} />
          <Button
            {...{ label: 'Save without deploying', isDisabled: isEmpty }}
            onPress={() => void send(message.trim(), false)}
          />
          <Button
            {...{ type: 'submit', kind: 'primary', isDisabled: isEmpty }}
            label={replaced === undefined ? 'Deploy' : `Replace ${replaced.name}`}
          />
        </div>
      </form>
    </Dialog>
  );
}

/** Sends the draft once no other version was deployed meanwhile, or the person knows of it. */
function useDeployment({ address, draft, onDone, onFailure }: Omit<Props, 'onClose'>) {
  const client = useQueryClient();
  const [replaced, setReplaced] = useState<MetricVersion>();
  const [failure, setFailure] = useState<string>();
  // A disabled button would lose the focus, and with it Escape.
  const isPending = useRef(false);
  async function send(message: string, deploys: boolean): Promise<void> {
    if (isPending.current) return;
    isPending.current = true;
    setFailure(undefined);
    try {
      const { data } = await versionsOfMetric(address);
      const deployed = data.find((version) => version.deployed);
      const isKnown = [draft.deployed, replaced?.name].includes(deployed?.name);
      if (deploys && deployed !== undefined && !isKnown) return setReplaced(deployed);
      const content = bodyOf(draft.content);
      const { data: made } = await addVersion(address, { message, content, deploy_immediately: deploys });
      notify(deploys ? `${made.name} is deployed` : `${made.name} is saved, and not deployed`);
      for (const key of ['metric', 'metrics', 'metric versions'])
        await client.invalidateQueries({ queryKey: [key, address.project] });
      onDone(made);
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      setFailure(problem.message);
      onFailure(problem);
    } finally {
      isPending.current = false;
    }
  }
  return { send, replaced, failure };
}
