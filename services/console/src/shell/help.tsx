import { COMMANDS, keyNames, type CommandId, type Scope } from '../keyboard/commands.js';
import { useActiveCommands } from '../keyboard/dispatch.js';
import { takenCommands } from '../keyboard/match-keys.js';
import { Dialog } from '../ui/dialog.js';

const TITLES: Readonly<Record<Scope, string>> = {
  everywhere: 'Everywhere',
  list: 'In a list',
  session: 'In a session',
  runs: 'In runs',
  compare: 'In a comparison',
  queue: 'In an annotation queue',
  evaluator: 'In an evaluator',
  api: 'In the routes of the API',
};

/** Every key that works on this page, from the table of commands. */
export function Help({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const all = useActiveCommands();
  const taken = takenCommands(all);
  const active = all.filter((id) => !taken.has(id));
  const scopes = (Object.keys(TITLES) as Scope[]).map((scope) => ({
    scope,
    ids: active.filter((id) => COMMANDS[id].scope === scope && COMMANDS[id].keys.length > 0),
  }));
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose} wide>
      <div className="dialog-body help">
        {scopes
          .filter(({ ids }) => ids.length > 0)
          .map(({ scope, ids }) => (
            <section key={scope}>
              <h3>{TITLES[scope]}</h3>
              <dl>
                {ids.map((id) => (
                  <Line key={id} id={id} />
                ))}
              </dl>
            </section>
          ))}
      </div>
    </Dialog>
  );
}

function Line({ id }: { readonly id: CommandId }) {
  return (
    <div className="help-line">
      <dt>{COMMANDS[id].name}</dt>
      <dd>
        {keyNames(id).map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  );
}
