import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { addProject, allProjects } from '../../api/projects.js';
import { printName } from '../../format/name.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { Moment } from './moment.js';
import { Secret, type SecretOnce } from './secret.js';
import { SettingsTable } from './settings-table.js';

const PROJECTS = ['administration', 'projects'];

/** All projects of the installation, and a way to add one. */
export function Projects() {
  const { data, error, refetch } = useQuery({
    queryKey: PROJECTS,
    queryFn: ({ signal }) => allProjects(signal),
  });
  if (error !== null)
    return <Failure {...{ title: 'The projects could not be read', error }} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="settings-note">Reading projects …</p>;
  return (
    <>
      <SettingsTable titles={['Name', 'Id', 'Created']}>
        {data.map(({ id, name, created_at: created }) => (
          <tr key={id}>
            <th scope="row" title={name}>
              <bdi>{printName(name)}</bdi>
            </th>
            <td>
              <code>{id}</code>
            </td>
            <td>
              <Moment at={created} />
            </td>
          </tr>
        ))}
      </SettingsTable>
      <NewProject />
    </>
  );
}

function NewProject() {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string>();
  const [secret, setSecret] = useState<SecretOnce>();
  const [isPending, setPending] = useState(false);
  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    setPending(true);
    setFailure(undefined);
    try {
      const { id, api_key: text } = await addProject(name.trim());
      setSecret({ id, text, name: `of the project ${name.trim()}` });
      setName('');
      await client.invalidateQueries({ queryKey: PROJECTS });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setPending(false);
  }
  return (
    <>
      <form className="settings-actions" onSubmit={(event) => void add(event)}>
        <Field
          {...{ label: 'New project', value: name, required: true, maxLength: 200, autoComplete: 'off' }}
          {...{ error: failure, onChange: setName }}
        />
        <Button
          {...{ type: 'submit', label: 'Add', icon: 'plus', isDisabled: isPending || name.trim() === '' }}
        />
      </form>
      {secret !== undefined && <Secret {...secret} />}
    </>
  );
}
