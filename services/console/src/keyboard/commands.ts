/** Where a command works. Its keys are unique among those of its scope and of `everywhere`. */
export type Scope = 'everywhere' | 'list' | 'session' | 'runs' | 'compare' | 'api';

export interface Command {
  /** What it does, as the palette and the help say it. */
  readonly name: string;
  readonly scope: Scope;
  /** Keys by character, not by position; two with a space between are pressed one after the other. */
  readonly keys: readonly string[];
}

/**
 * Every command of the console, once. The dispatcher, the hints, the help and the palette read this table, so that none of them can name a
 * key that does nothing.
 */
export const COMMANDS = {
  help: { name: 'Show all keys', scope: 'everywhere', keys: ['?'] },
  palette: { name: 'Open the command palette', scope: 'everywhere', keys: ['Mod+k'] },
  find: { name: 'Search', scope: 'everywhere', keys: ['/'] },
  goStart: { name: 'Go to start', scope: 'everywhere', keys: ['g t'] },
  goSessions: { name: 'Go to sessions', scope: 'everywhere', keys: ['g s'] },
  goEvents: { name: 'Go to events', scope: 'everywhere', keys: ['g e'] },
  goRuns: { name: 'Go to runs', scope: 'everywhere', keys: ['g r'] },
  goApi: { name: 'Go to the routes of the API', scope: 'everywhere', keys: ['g a'] },
  zone: { name: 'Switch between local time and UTC', scope: 'everywhere', keys: ['u'] },
  theme: { name: 'Switch between light, dark and system colours', scope: 'everywhere', keys: [] },
  copyLink: { name: 'Copy the link of this page', scope: 'everywhere', keys: ['y'] },
  signInOther: { name: 'Sign in to another project', scope: 'everywhere', keys: [] },
  signOut: { name: 'Sign out', scope: 'everywhere', keys: [] },
  singleKeys: { name: 'Switch single-letter keys on or off', scope: 'everywhere', keys: [] },
  rowNext: { name: 'Next row', scope: 'list', keys: ['j', 'ArrowDown'] },
  rowPrevious: { name: 'Previous row', scope: 'list', keys: ['k', 'ArrowUp'] },
  rowSelect: { name: 'Select the row', scope: 'list', keys: ['x'] },
  rowSelectRange: { name: 'Select all rows from the last selected one', scope: 'list', keys: ['X'] },
  rowValues: { name: 'Filter by a value of the row', scope: 'list', keys: ['.'] },
  filterAdd: { name: 'Add a filter', scope: 'list', keys: ['f'] },
  filtersClear: { name: 'Clear all filters', scope: 'list', keys: ['F'] },
  errorsOnly: { name: 'Errors only', scope: 'list', keys: ['e'] },
  views: { name: 'Open or save a view', scope: 'list', keys: ['v'] },
  timeRange: { name: 'Choose the time range', scope: 'list', keys: ['t'] },
  columns: { name: 'Choose columns', scope: 'list', keys: ['c'] },
  live: { name: 'Follow new rows', scope: 'list', keys: ['l'] },
  stepNext: { name: 'Next step', scope: 'session', keys: ['j', 'ArrowDown'] },
  stepPrevious: { name: 'Previous step', scope: 'session', keys: ['k', 'ArrowUp'] },
  fold: { name: 'Close the event, or go to its parent', scope: 'session', keys: ['h', 'ArrowLeft'] },
  unfold: { name: 'Open the event, or go to its first child', scope: 'session', keys: ['l', 'ArrowRight'] },
  foldAll: { name: 'Close all events', scope: 'session', keys: ['H'] },
  unfoldAll: { name: 'Open all events', scope: 'session', keys: ['L'] },
  parent: { name: 'Go to the parent', scope: 'session', keys: ['p'] },
  errorNext: { name: 'Next error', scope: 'session', keys: ['e'] },
  errorPrevious: { name: 'Previous error', scope: 'session', keys: ['E'] },
  modelNext: { name: 'Next model call', scope: 'session', keys: ['m'] },
  modelPrevious: { name: 'Previous model call', scope: 'session', keys: ['M'] },
  matchNext: { name: 'Next match of the search', scope: 'session', keys: ['n'] },
  matchPrevious: { name: 'Previous match of the search', scope: 'session', keys: ['N'] },
  viewNext: { name: 'Next view: conversation, tree, raw', scope: 'session', keys: ['v'] },
  markdown: { name: 'Show messages formatted, or as they were written', scope: 'session', keys: ['f'] },
  part1: { name: 'Show the input', scope: 'session', keys: ['1'] },
  part2: { name: 'Show the output', scope: 'session', keys: ['2'] },
  part3: { name: 'Show the metadata', scope: 'session', keys: ['3'] },
  part4: { name: 'Show the scores', scope: 'session', keys: ['4'] },
  part5: { name: 'Show the evaluations', scope: 'session', keys: ['5'] },
  zoom: { name: 'Zoom the waterfall to the event', scope: 'session', keys: ['z'] },
  zoomOut: { name: 'Show the whole time', scope: 'session', keys: ['Z'] },
  datapointNext: { name: 'Next datapoint', scope: 'compare', keys: ['j', 'ArrowDown'] },
  datapointPrevious: { name: 'Previous datapoint', scope: 'compare', keys: ['k', 'ArrowUp'] },
  worseNext: { name: 'Next datapoint that became worse', scope: 'compare', keys: ['r'] },
  betterNext: { name: 'Next datapoint that became better', scope: 'compare', keys: ['i'] },
  diffNext: { name: 'Next way to show differences', scope: 'compare', keys: ['d'] },
  runsSwap: { name: 'Swap the runs', scope: 'compare', keys: ['b'] },
  datapointOpen: { name: 'Open the session of the new run', scope: 'compare', keys: ['Enter'] },
  routeNext: { name: 'Next route', scope: 'api', keys: ['j', 'ArrowDown'] },
  routePrevious: { name: 'Previous route', scope: 'api', keys: ['k', 'ArrowUp'] },
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof COMMANDS;

export const COMMAND_IDS = Object.keys(COMMANDS) as readonly CommandId[];

const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** Returns the keys of a command as people read them, such as `Ctrl K`. */
export function keyNames(id: CommandId): readonly string[] {
  const { keys }: Command = COMMANDS[id];
  return keys.map((key) =>
    key
      .replace('Mod+', isApple ? '⌘ ' : 'Ctrl ')
      .replace(/ k$/, ' K')
      .replace('ArrowDown', '↓')
      .replace('ArrowUp', '↑')
      .replace('ArrowLeft', '←')
      .replace('ArrowRight', '→'),
  );
}
