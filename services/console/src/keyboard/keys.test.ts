import { COMMAND_IDS, COMMANDS, type Command } from './commands.js';
import { matchKeys, strokeText, takenCommands } from './match-keys.js';

const stroke = (key: string, modifiers = {}) =>
  strokeText({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers });

const takenBy = (id: keyof typeof COMMANDS) => (COMMANDS[id] as Command).takes;

describe('the table of commands', () => {
  it('has each key once in a scope and the scope of everywhere', () => {
    for (const scope of ['list', 'session', 'runs', 'compare', 'queue', 'api']) {
      const visible = COMMAND_IDS.filter((id) => ['everywhere', scope].includes(COMMANDS[id].scope));
      const taken = takenCommands(visible);
      const together = visible.filter((id) => !taken.has(id));
      const keys = together.flatMap((id) => (COMMANDS[id] satisfies Command).keys as readonly string[]);
      expect([scope, keys.filter((key, index) => keys.indexOf(key) !== index)]).toEqual([scope, []]);
      // A key that begins a sequence runs nothing.
      const beginnings = keys.filter((key) => key.includes(' ')).map((key) => key.split(' ')[0] ?? '');
      expect(beginnings.filter((key) => keys.includes(key))).toEqual([]);
    }
  });

  it('finds every command by its keys, and no command that has no handler', () => {
    for (const id of COMMAND_IDS)
      for (const key of COMMANDS[id].keys as readonly string[]) {
        const parts = key.split(' ');
        const found = matchKeys(
          COMMAND_IDS.filter((one) => ['everywhere', COMMANDS[id].scope].includes(COMMANDS[one].scope)),
          parts.at(-1) ?? '',
          parts.length > 1 ? parts[0] : undefined,
        );
        expect(found).toBe(id);
        expect(
          matchKeys(
            COMMAND_IDS.filter(
              (one) => one !== id && COMMANDS[one].scope === 'everywhere' && one !== takenBy(id),
            ),
            key,
            undefined,
          ),
        ).not.toBe(id);
      }
  });

  it('waits for the second key of a sequence', () => {
    expect(matchKeys(['goSessions', 'goEvents'], 'g', undefined)).toBe('first');
    expect(matchKeys(['goSessions', 'goEvents'], 'e', 'g')).toBe('goEvents');
    expect(matchKeys(['goSessions'], 'e', 'g')).toBeUndefined();
  });

  it('gives a key to the command of the screen that takes it, wherever both are registered', () => {
    expect(matchKeys(['copyLink', 'answerYes'], 'y', undefined)).toBe('answerYes');
    expect(matchKeys(['answerYes', 'copyLink'], 'y', undefined)).toBe('answerYes');
    expect(matchKeys(['copyLink'], 'y', undefined)).toBe('copyLink');
    for (const id of COMMAND_IDS) if (takenBy(id) !== undefined) expect(COMMAND_IDS).toContain(takenBy(id));
  });

  it('reads characters, with one modifier for Ctrl and Command', () => {
    expect([stroke('k', { ctrlKey: true }), stroke('K', { metaKey: true })]).toEqual(['Mod+k', 'Mod+k']);
    expect([stroke('X'), stroke('x', { altKey: true })]).toEqual(['X', undefined]);
  });
});
