import { useId, useState, type KeyboardEvent } from 'react';
import { COMMANDS, keyNames } from '../keyboard/commands.js';
import { takenCommands } from '../keyboard/match-keys.js';
import { runCommand, useActiveCommands } from '../keyboard/dispatch.js';
import { Dialog } from '../ui/dialog.js';

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly run: () => void;
}

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Choices besides the commands, such as projects. */
  readonly more: readonly Omit<Choice, 'hint'>[];
}

/** Every command of this page, found by typing a part of its name. */
export function Palette({ isOpen, onClose, more }: Props) {
  return (
    <Dialog title="Commands" isOpen={isOpen} onClose={onClose} wide quiet>
      <PaletteBody onClose={onClose} more={more} />
    </Dialog>
  );
}

function PaletteBody({ onClose, more }: Omit<Props, 'isOpen'>) {
  const [text, setText] = useState('');
  const [cursor, setCursor] = useState(0);
  const list = useId();
  const choices = useChoices(more).filter(({ name }) => matches(name, text));
  const current = Math.min(cursor, choices.length - 1);
  function run(choice: Choice | undefined): void {
    if (choice === undefined) return;
    onClose();
    // The dialog has to be gone before the command opens another one.
    setTimeout(choice.run, 0);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') run(choices[current]);
    else if (step === undefined) return;
    else setCursor((current + step + choices.length) % Math.max(choices.length, 1));
    event.preventDefault();
  }
  return (
    <div className="palette">
      <input
        {...{ className: 'palette-input', role: 'combobox', 'aria-expanded': true, autoFocus: true }}
        {...{ 'aria-label': 'Command', 'aria-controls': list, placeholder: 'Type a command' }}
        aria-activedescendant={choices.length > 0 ? `${list}-${current}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setCursor(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} role="listbox" aria-label="Commands" className="palette-list">
        {choices.map((choice, index) => (
          <li
            key={choice.id}
            {...{ id: `${list}-${index}`, role: 'option', className: 'palette-item' }}
            aria-selected={index === current}
            onClick={() => run(choice)}
          >
            <span>{choice.name}</span>
            <span className="palette-keys">{choice.hint}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p className="palette-empty">No command has this name</p>}
    </div>
  );
}

function useChoices(more: Props['more']): readonly Choice[] {
  const active = useActiveCommands();
  const taken = takenCommands(active);
  const commands = active
    .filter((id) => id !== 'palette')
    .map((id) => ({
      id,
      name: COMMANDS[id].name,
      hint: taken.has(id) ? '' : (keyNames(id)[0] ?? ''),
      run: () => runCommand(id),
    }));
  return [...commands, ...more.map((choice) => ({ ...choice, hint: '' }))];
}

/** Whether each word of the text begins a word of the name. */
function matches(name: string, text: string): boolean {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const wanted = text
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '');
  return wanted.every((part) => words.some((word) => word.startsWith(part)));
}
