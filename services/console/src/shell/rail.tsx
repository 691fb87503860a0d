import { Link } from '@tanstack/react-router';
import { COMMANDS, keyNames, type CommandId } from '../keyboard/commands.js';
import { Icon, type IconName } from '../ui/icon.js';
import { useProject } from '../url/use-project.js';

const SCREENS = [
  { to: '/p/$project/start', label: 'Start', icon: 'start', command: 'goStart' },
  { to: '/p/$project/sessions', label: 'Sessions', icon: 'sessions', command: 'goSessions' },
  { to: '/p/$project/events', label: 'Events', icon: 'events', command: 'goEvents' },
  { to: '/p/$project/runs', label: 'Runs', icon: 'runs', command: 'goRuns' },
] as const satisfies readonly { to: string; label: string; icon: IconName; command: CommandId }[];

/** The screens of the project. */
export function Rail() {
  const project = useProject();
  return (
    <nav className="rail" aria-label="Screens">
      {SCREENS.map(({ to, label, icon, command }) => (
        <Link
          {...{ key: to, to, params: { project }, className: 'rail-link' }}
          key={to}
          title={`${COMMANDS[command].name} (${keyNames(command)[0]})`}
        >
          <Icon name={icon} size={18} />
          <span>{label}</span>
        </Link>
      ))}
    </nav>
  );
}
