import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { schemaOfEvents } from '../api/events.js';
import { useCommands } from '../keyboard/dispatch.js';
import { setPreferences, usePreferences } from '../theme/preferences.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { Panel } from '../ui/panel.js';
import { MAX_COLUMNS, type ListView } from '../url/list-view.js';
import { useProject } from '../url/use-project.js';

interface Props {
  readonly view: ListView;
  readonly change: (changes: Partial<ListView>) => void;
}

/** More names than this are found by typing a part of them. */
const LISTED = 100;

/** Chooses columns of what clients have sent: metadata, metrics, properties of users. */
export function ColumnPicker(props: Props) {
  const [isOpen, setOpen] = useState(false);
  useCommands({ columns: () => setOpen(true) });
  return (
    <Panel
      {...{ isOpen, onOpenChange: setOpen, label: 'Columns' }}
      trigger={<Button icon="columns" label="Columns" iconOnly />}
    >
      {() => <Choices {...props} />}
    </Panel>
  );
}

function Choices({ view, change }: Props) {
  const [text, setText] = useState('');
  const { density } = usePreferences();
  const names = useNames().filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  const toggle = (name: string) =>
    change({
      columns: view.columns.includes(name)
        ? view.columns.filter((one) => one !== name)
        : [...view.columns, name].slice(0, MAX_COLUMNS),
    });
  const listed = [...new Set([...view.columns, ...names])].slice(0, LISTED);
  return (
    <div className="column-picker">
      <Field
        label="Columns"
        value={text}
        placeholder="metadata.env"
        autoFocus
        autoComplete="off"
        onChange={setText}
      />
      <ul className="value-list">
        {listed.map((name) => (
          <li key={name}>
            <label className="check-line">
              <input type="checkbox" checked={view.columns.includes(name)} onChange={() => toggle(name)} />
              {name}
            </label>
          </li>
        ))}
      </ul>
      {listed.length === 0 && (
        <p className="muted">No metadata, metric or property of a user has this name</p>
      )}
      <label className="check-line">
        <input
          type="checkbox"
          checked={density === 'dense'}
          onChange={() => setPreferences({ density: density === 'dense' ? 'normal' : 'dense' })}
        />
        Dense rows
      </label>
    </div>
  );
}

function useNames(): readonly string[] {
  const project = useProject();
  const { data } = useQuery({
    queryKey: ['schema', project],
    queryFn: ({ signal }) => schemaOfEvents(project, signal),
    staleTime: 60_000,
  });
  const names = (data?.fields ?? []).map(({ name }) => name);
  return [...new Set(names)].filter((name) => /^(?:metadata|metrics|user_properties)\./.test(name)).sort();
}
