import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { ApiError } from '../api/call.js';
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

/** Sends the draft. The server refuses it when another version was deployed meanwhile, unless the person knows of that one. */
function useDeployment({ address, draft, onDone, onFailure }: Omit<Props, 'onClose'>) {
  const client = useQueryClient();
  const [replaced, setReplaced] = useState<MetricVersion>();
  const [failure, setFailure] = useState<string>();
  // A disabled button would lose the focus, and with it Escape.
  const isPending = useRef(false);
  const readAgain = async () => {
    for (const key of ['metric', 'metrics', 'metric versions'])
      await client.invalidateQueries({ queryKey: [key, address.project] });
  };
  async function send(message: string, deploys: boolean): Promise<void> {
    if (isPending.current) return;
    isPending.current = true;
    setFailure(undefined);
    const expected = deploys ? (replaced?.name ?? draft.deployed) : undefined;
    try {
      const body = { message, content: bodyOf(draft.content), deploy_immediately: deploys };
      const { data: made } = await addVersion(address, body, expected);
      notify(deploys ? `${made.name} is deployed` : `${made.name} is saved, and not deployed`);
      await readAgain();
      onDone(made);
    } catch (error) {
      const other = await deployedInstead(error, address, expected);
      if (other !== undefined) {
        setReplaced(other);
        // The person may continue before everything is read.
        return void readAgain();
      }
      const problem = error instanceof Error ? error : new Error(String(error));
      setFailure(problem.message);
      onFailure(problem);
    } finally {
      isPending.current = false;
    }
  }
  return { send, replaced, failure };
}

/** The version that is deployed instead of the expected one, when the server has refused a request for that. */
async function deployedInstead(
  error: unknown,
  address: MetricAddress,
  expected: string | undefined,
): Promise<MetricVersion | undefined> {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined;
  const versions = await versionsOfMetric(address).catch(() => undefined);
  return versions?.data.find(({ deployed, name }) => deployed && name !== expected);
}
