import { Link, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useProject } from '../../url/use-project.js';
import { AdministrationPart } from './administration-part.js';
import { AppearancePart } from './appearance-part.js';
import { ConfigurationsPart } from './configurations-part.js';
import { KeysPart } from './keys-part.js';
import { ProjectPart } from './project-part.js';
import './settings.css';

const PARTS: Readonly<Record<string, { readonly title: string; readonly Part: ComponentType }>> = {
  keys: { title: 'Keys', Part: KeysPart },
  project: { title: 'Project', Part: ProjectPart },
  configurations: { title: 'Configurations', Part: ConfigurationsPart },
  appearance: { title: 'Appearance', Part: AppearancePart },
  administration: { title: 'Administration', Part: AdministrationPart },
};

/** Keys, the project, how the console looks, and what the administrator of the installation manages. */
export function SettingsScreen() {
  const project = useProject();
  const { part = '' } = useParams({ strict: false });
  const chosen = PARTS[part];
  return (
    <div className="settings" role="group" aria-label="Settings" tabIndex={0}>
      <nav className="settings-parts" aria-label="Settings">
        {Object.entries(PARTS).map(([name, { title }]) => (
          <Link
            key={name}
            {...{ to: '/p/$project/settings/$part', params: { project, part: name } }}
            aria-current={name === part ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {chosen === undefined ? <p className="settings-note">There are no such settings.</p> : <chosen.Part />}
    </div>
  );
}
