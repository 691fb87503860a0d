import { Outlet, useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { signOut } from '../api/session.js';
import { listenForKeys, setSingleKeys, useCommands } from '../keyboard/dispatch.js';
import { setPreferences, usePreferences } from '../theme/preferences.js';
import { Bar } from './bar.js';
import { Help } from './help.js';
import { OfflineBanner } from './offline-banner.js';
import { Palette } from './palette.js';
import { Rail } from './rail.js';
import { sessionQuery, useConsoleSession } from '../api/use-session.js';
import { useProject } from '../url/use-project.js';
import { SignInDialog } from './sign-in-dialog.js';
import { notify, Toast } from '../ui/toast.js';
import './shell.css';

const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' } as const;

/** Everything around a screen: bar, rail, dialogs, and the commands that work everywhere. */
export function Shell() {
  const [open, setOpen] = useState<'help' | 'palette'>();
  const session = useConsoleSession();
  const navigate = useNavigate();
  const { singleKeys } = usePreferences();
  useEffect(listenForKeys, []);
  useEffect(() => setSingleKeys(singleKeys), [singleKeys]);
  useShellCommands(setOpen);
  const projects = (session?.projects ?? []).map(({ id, name }) => ({
    id: `project-${id}`,
    name: `Project ${name}`,
    run: () => void navigate({ to: '/p/$project/sessions', params: { project: id } }),
  }));
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <Bar />
      <Rail />
      <main className="content" id="content" tabIndex={-1}>
        <OfflineBanner />
        <Outlet />
      </main>
      <Help isOpen={open === 'help'} onClose={() => setOpen(undefined)} />
      <Palette isOpen={open === 'palette'} onClose={() => setOpen(undefined)} more={projects} />
      <SignInDialog />
      <Toast />
    </div>
  );
}

function useShellCommands(setOpen: (open: 'help' | 'palette') => void): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const project = useProject();
  const { zone, theme, singleKeys } = usePreferences();
  const go =
    (to: '/p/$project/start' | '/p/$project/sessions' | '/p/$project/events' | '/p/$project/runs') => () =>
      void navigate({ to, params: { project } });
  useCommands({
    help: () => setOpen('help'),
    palette: () => setOpen('palette'),
    goStart: go('/p/$project/start'),
    goSessions: go('/p/$project/sessions'),
    goEvents: go('/p/$project/events'),
    goRuns: go('/p/$project/runs'),
    zone: () => setPreferences({ zone: zone === 'utc' ? 'local' : 'utc' }),
    theme: () => {
      setPreferences({ theme: NEXT_THEME[theme] });
      notify(`Colours: ${NEXT_THEME[theme]}`);
    },
    singleKeys: () => {
      setPreferences({ singleKeys: !singleKeys });
      notify(singleKeys ? 'Single-letter keys are off' : 'Single-letter keys are on');
    },
    copyLink: () => void navigator.clipboard.writeText(location.href).then(() => notify('Link copied')),
    signInOther: () => void navigate({ to: '/sign-in', search: {} }),
    signOut: () =>
      void signOut().then(() => {
        client.clear();
        client.removeQueries({ queryKey: sessionQuery.queryKey });
        return navigate({ to: '/sign-in', search: {} });
      }),
  });
}
