import { useQuery } from '@tanstack/react-query';
import { allConfigurations, type Configuration } from '../../api/configurations.js';
import { useMay } from '../../api/use-session.js';
import { jsonText } from '../../format/json-text.js';
import { printName } from '../../format/name.js';
import { Failure } from '../../ui/failure.js';
import { useProject } from '../../url/use-project.js';
import { Moment } from './moment.js';
import { SettingsTable } from './settings-table.js';

const TITLES = ['Name', 'Type', 'Provider', 'Environments', 'Tags', 'Parameters', 'Changed'];

/** Models with prompt and settings, which clients read by name. */
export function ConfigurationsPart() {
  const project = useProject();
  const mayRead = useMay('configurations:read');
  const { data, error, refetch } = useQuery({
    ...{ queryKey: ['configurations', project], enabled: mayRead },
    queryFn: ({ signal }) => allConfigurations(project, signal),
  });
  if (!mayRead)
    return (
      <p className="settings-note">
        The key of this session may not read configurations (<code>configurations:read</code>).
      </p>
    );
  if (error !== null)
    return (
      <Failure {...{ title: 'The configurations could not be read', error }} onRetry={() => void refetch()} />
    );
  if (data === undefined) return <p className="settings-note">Reading configurations …</p>;
  if (data.configurations.length === 0)
    return (
      <p className="settings-note">
        No configurations. <code>POST /v1/configurations</code> adds one.
      </p>
    );
  return (
    <SettingsTable titles={TITLES}>
      {data.configurations.map((configuration) => (
        <ConfigurationRow key={configuration.id} configuration={configuration} />
      ))}
    </SettingsTable>
  );
}

function ConfigurationRow({ configuration }: { readonly configuration: Configuration }) {
  const { name, type, provider, env, tags, parameters, updated_at: at } = configuration;
  const texts = [provider, env.join(' ') || '—', tags.join(' ') || '—', jsonText(parameters)];
  return (
    <tr>
      <th scope="row" title={name}>
        <bdi>{printName(name)}</bdi>
      </th>
      <td>{type}</td>
      {texts.map((text, index) => (
        <td key={TITLES[index + 2]} title={text}>
          <bdi>{printName(text)}</bdi>
        </td>
      ))}
      <td>
        <Moment at={at} />
      </td>
    </tr>
  );
}
