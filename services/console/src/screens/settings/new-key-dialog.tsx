import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { createIngestKey, createKey } from '../../api/keys.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { useProject } from '../../url/use-project.js';
import { PRESETS, type PresetName } from './key-rights.js';
import type { SecretOnce } from './secret.js';

interface Props {
  readonly onMade: (secret: SecretOnce) => void;
  readonly onClose: () => void;
}

const SENDER = 'sender';
type Rights = PresetName | typeof SENDER;

/** Days after which a key expires; 0: never. */
const DAYS = [0, 7, 30, 90, 365] as const;
const DAY_MS = 86_400_000;

/** Makes a key of one of the usual kinds. Its text is returned once. */
export function NewKeyDialog({ onMade, onClose }: Props) {
  const [name, setName] = useState('');
  const [rights, setRights] = useState<Rights>(SENDER);
  const [days, setDays] = useState(0);
  const { failure, isPending, create } = useCreation((secret) => {
    onMade(secret);
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void create({ name: name.trim(), rights, days });
  };
  return (
    <Dialog title="New key" isOpen onClose={onClose}>
      <form className="dialog-body" onSubmit={submit}>
        <Field
          {...{ label: 'Name', value: name, required: true, autoFocus: true, maxLength: 200 }}
          {...{ autoComplete: 'off', error: failure }}
          onChange={setName}
          hint="Where it is used, such as “collector of production”."
        />
        <RightsChoice rights={rights} onChange={setRights} />
        {rights !== SENDER && <ExpiryChoice days={days} onChange={setDays} />}
        <div className="dialog-actions">
          <Button label="Cancel" onPress={onClose} />
          <Button
            {...{ type: 'submit', kind: 'primary', isDisabled: isPending || name.trim() === '' }}
            label={isPending ? 'Making …' : 'Make the key'}
          />
        </div>
      </form>
    </Dialog>
  );
}

interface RightsProps {
  readonly rights: Rights;
  readonly onChange: (rights: Rights) => void;
}

function RightsChoice({ rights, onChange }: RightsProps) {
  const preset = PRESETS.find(({ name }) => name === rights);
  const choices = [
    { name: SENDER, purpose: 'sends events and sessions, and reads nothing' },
    ...PRESETS,
  ] as const;
  return (
    <>
      <fieldset className="settings-choices">
        <legend>Rights</legend>
        {choices.map(({ name, purpose }) => (
          <label key={name}>
            <input
              {...{ type: 'radio', name: 'rights', checked: rights === name }}
              onChange={() => onChange(name)}
            />{' '}
            <b>{name}</b>: {purpose}
          </label>
        ))}
      </fieldset>
      {preset !== undefined && preset.permissions.length > 0 && (
        <p className="settings-permissions" tabIndex={0} role="note" aria-label="Permissions">
          {preset.permissions.join(' · ')}
        </p>
      )}
    </>
  );
}

interface ExpiryProps {
  readonly days: number;
  readonly onChange: (days: number) => void;
}

function ExpiryChoice({ days, onChange }: ExpiryProps) {
  return (
    <label className="field">
      <span>Expires</span>
      <select className="input" value={days} onChange={(event) => onChange(Number(event.target.value))}>
        {DAYS.map((one) => (
          <option key={one} value={one}>
            {one === 0 ? 'with the key of this session, else never' : `in ${one} days`}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Choices {
  readonly name: string;
  readonly rights: Rights;
  readonly days: number;
}

function useCreation(onMade: (secret: SecretOnce) => void) {
  const project = useProject();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  async function create({ name, rights, days }: Choices): Promise<void> {
    setPending(true);
    setFailure(undefined);
    try {
      const { data } =
        rights === SENDER
          ? await createIngestKey(project, name)
          : await createKey(project, {
              name,
              permissions: [...(PRESETS.find((preset) => preset.name === rights)?.permissions ?? [])],
              ...(days > 0 && { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() }),
            });
      await client.invalidateQueries({ queryKey: ['keys', project] });
      onMade({ id: data.key_id, name, text: data.key_value });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setPending(false);
    }
  }
  return { failure, isPending, create };
}
