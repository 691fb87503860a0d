import { Link, useMatches } from '@tanstack/react-router';
import { COMMANDS, keyNames, type CommandId } from '../keyboard/commands.js';
import { Icon, type IconName } from '../ui/icon.js';
import { useConsoleSession } from '../api/use-session.js';
import { useProject } from '../url/use-project.js';

export const SCREENS = [
  { to: '/p/$project/start', label: 'Start', icon: 'start', command: 'goStart', needs: 'getStatus' },
  { to: '/p/$project/sessions', label: 'Sessions', icon: 'sessions', command: 'goSessions' },
  { to: '/p/$project/events', label: 'Events', icon: 'events', command: 'goEvents', needs: 'pageEvents' },
  { to: '/p/$project/usage', label: 'Usage', icon: 'usage', command: 'goUsage', lacks: 'pageEvents' },
  { to: '/p/$project/runs', label: 'Runs', icon: 'runs', command: 'goRuns' },
  { to: '/p/$project/charts', label: 'Charts', icon: 'charts', command: 'goCharts' },
  { to: '/p/$project/queues', label: 'Queues', icon: 'queues', command: 'goQueues' },
  { to: '/p/$project/evaluators', label: 'Evaluators', icon: 'evaluators', command: 'goEvaluators' },
  { to: '/p/$project/datasets', label: 'Datasets', icon: 'datasets', command: 'goDatasets' },
  { to: '/p/$project/health', label: 'Health', icon: 'health', command: 'goHealth', needs: 'getStatus' },
  { to: '/p/$project/api', label: 'API', icon: 'api', command: 'goApi' },
  { to: '/p/$project/settings', label: 'Settings', icon: 'settings', command: 'goSettings' },
] as const satisfies readonly ScreenEntry[];

interface ScreenEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  readonly command: CommandId;
  /** Operation of the API without which there is nothing to see. */
  readonly needs?: string;
  /** Operation in whose place the screen is. */
  readonly lacks?: string;
}

/** The screens that the process which serves the console has something for. */
export function useScreens(): readonly (typeof SCREENS)[number][] {
  const capabilities = useConsoleSession()?.capabilities ?? [];
  return SCREENS.filter(
    ({ needs, lacks }: ScreenEntry) =>
      (needs === undefined || capabilities.includes(needs)) &&
      (lacks === undefined || !capabilities.includes(lacks)),
  );
}

/** Screens whose address is not below that of the entry they belong to. */
const BELOW: Readonly<Record<string, string>> = {
  '/p/$project/compare/$new/$old': '/p/$project/runs',
  '/p/$project/diff/$a/$b': '/p/$project/events',
};

/** The screens of the project. */
export function Rail() {
  const project = useProject();
  const here = BELOW[useMatches().at(-1)?.routeId ?? ''];
  return (
    <nav className="rail" aria-label="Screens">
      {useScreens().map(({ to, label, icon, command }) => (
        <Link
          key={to}
          {...{ to, params: { project }, className: 'rail-link' }}
          aria-current={to === here ? 'page' : undefined}
          title={`${COMMANDS[command].name} (${keyNames(command)[0]})`}
        >
          <Icon name={icon} size={18} />
          <span>{label}</span>
        </Link>
      ))}
    </nav>
  );
}
