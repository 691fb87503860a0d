import { useMatches, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { zoneName } from '../format/time.js';
import { keyNames } from '../keyboard/commands.js';
import { runCommand } from '../keyboard/dispatch.js';
import { usePreferences } from '../theme/preferences.js';
import { Button } from '../ui/button.js';
import { MenuButton } from '../ui/menu.js';
import { useConsoleSession, useSignedInProject } from '../api/use-session.js';
import { withMarks } from '../text/hidden-characters.js';
import { StatusDot } from './status-dot.js';

/** Project, screen, zone and state of the server. */
export function Bar() {
  const title = useMatches().at(-1)?.staticData.title ?? '';
  const project = useSignedInProject();
  const { zone } = usePreferences();
  useEffect(() => {
    document.title = withMarks([title, project?.name, 'Assay'].filter((part) => part).join(' · '));
  }, [title, project]);
  return (
    <header className="bar">
      <span className="bar-brand">assay</span>
      <ProjectMenu />
      <h1 className="bar-title">{title}</h1>
      <span className="bar-space" />
      <StatusDot />
      <Button
        kind="quiet"
        icon="clock"
        label={zoneName(zone)}
        aria-label={`Time zone: ${zoneName(zone)}. Switch`}
        onPress={() => runCommand('zone')}
      />
      <Button kind="quiet" icon="theme" label="Switch colours" iconOnly onPress={() => runCommand('theme')} />
      <Button kind="quiet" icon="help" label="Show all keys" iconOnly onPress={() => runCommand('help')} />
      <Button
        icon="search"
        label={`Commands ${keyNames('palette')[0] ?? ''}`}
        onPress={() => runCommand('palette')}
      />
    </header>
  );
}

function ProjectMenu() {
  const session = useConsoleSession();
  const project = useSignedInProject();
  const navigate = useNavigate();
  const projects = (session?.projects ?? []).map(({ id, name }) => ({
    id,
    label: name,
    checked: id === project?.id,
  }));
  function onAction(id: string): void {
    if (id === 'sign-in') runCommand('signInOther');
    else if (id === 'sign-out') runCommand('signOut');
    else void navigate({ to: '/p/$project/sessions', params: { project: id } });
  }
  return (
    <MenuButton
      label="Projects"
      trigger={
        <Button
          kind="quiet"
          label={project?.name ?? ''}
          aria-label={`Project ${project?.name ?? ''}`}
          opens
        />
      }
      sections={[
        { title: 'Projects', entries: projects },
        {
          entries: [
            { id: 'sign-in', label: 'Sign in to another project', icon: 'key' },
            { id: 'sign-out', label: 'Sign out', icon: 'signOut' },
          ],
        },
      ]}
      onAction={onAction}
    />
  );
}
