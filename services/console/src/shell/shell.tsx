import { Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { signOut } from '../api/session.js';
import { listenForKeys, setSingleKeys, useCommands, type Handlers } from '../keyboard/dispatch.js';
import { setPreferences, usePreferences } from '../theme/preferences.js';
import { Bar } from './bar.js';
import { Help } from './help.js';
import { OfflineBanner } from './offline-banner.js';
import { Palette } from './palette.js';
import { Rail, useScreens } from './rail.js';
import { announceSession } from '../api/signed-in-elsewhere.js';
import { useConsoleSession, useServes } from '../api/use-session.js';
import { InDataPlane } from '../plane/in-data-plane.js';
import { useOpen } from '../list/views-panel.js';
import { forgetLastFilters, useSavedViews } from '../list/view-storage.js';
import { useProject } from '../url/use-project.js';
import { SignInDialog } from './sign-in-dialog.js';
import { stopWorkers } from '../worker/client.js';
import { notify, Toast } from '../ui/toast.js';
import './shell.css';

const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' } as const;

/** Everything around a screen: bar, rail, dialogs, and the commands that work everywhere. */
export function Shell() {
  const [overlay, setOverlay] = useState<'help' | 'palette'>();
  const session = useConsoleSession();
  const navigate = useNavigate();
  const { singleKeys } = usePreferences();
  useEffect(announceSession, []);
  useEffect(listenForKeys, []);
  useEffect(() => setSingleKeys(singleKeys), [singleKeys]);
  useShellCommands(setOverlay);
  const projects = (session?.projects ?? []).map(({ id, name }) => ({
    id: `project-${id}`,
    name: `Project ${name}`,
    run: () => void navigate({ to: '/p/$project/sessions', params: { project: id } }),
  }));
  const open = useOpen();
  const views = useSavedViews(useProject()).named.map((view) => ({
    id: `view-${view.kind}-${view.name}`,
    name: `View ${view.name} of ${view.kind}`,
    run: () => open(view),
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
        <Screen />
      </main>
      <Help isOpen={overlay === 'help'} onClose={() => setOverlay(undefined)} />
      <Palette
        isOpen={overlay === 'palette'}
        onClose={() => setOverlay(undefined)}
        more={[...projects, ...views]}
      />
      <SignInDialog />
      <Toast />
    </div>
  );
}

/** The screen of the address, or where it is when this process has nothing for it. */
function Screen() {
  const { title, needs } = useMatches().at(-1)?.staticData ?? {};
  const isServed = useServes(needs ?? '');
  if (needs === undefined || isServed) return <Outlet />;
  return <InDataPlane what={`${title}: values`} />;
}

function useShellCommands(setOpen: (open: 'help' | 'palette') => void): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const project = useProject();
  const { zone, theme, singleKeys } = usePreferences();
  const screens = useScreens().map(({ to, command }) => [
    command,
    () => void navigate({ to, params: { project } }),
  ]);
  useCommands({
    help: () => setOpen('help'),
    palette: () => setOpen('palette'),
    ...(Object.fromEntries(screens) as Handlers),
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
      void leave(client).then(
        // Screens that are still there would start a worker again.
        () => navigate({ to: '/sign-in', search: {} }).then(stopWorkers),
        (error: Error) => notify(`You are still signed in: ${error.message}`),
      ),
  });
}

/** Ends the session, and forgets everything that was read with it. */
async function leave(client: QueryClient): Promise<void> {
  await signOut();
  await client.cancelQueries();
  client.clear();
  forgetLastFilters();
}
