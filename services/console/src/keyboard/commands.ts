/** Where a command works. Its keys are unique among those of its scope and of `everywhere`. */
export type Scope = 'everywhere' | 'list' | 'session' | 'runs' | 'compare' | 'queue' | 'evaluator' | 'api';

export interface Command {
  /** What it does, as the palette and the help say it. */
  readonly name: string;
  readonly scope: Scope;
  /** Keys by character, not by position; two with a space between are pressed one after the other. */
  readonly keys: readonly string[];
  /** A command of everywhere whose key this one has, where it can run. */
  readonly takes?: string;
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
  goUsage: { name: 'Go to usage by day', scope: 'everywhere', keys: ['g u'] },
  goRuns: { name: 'Go to runs', scope: 'everywhere', keys: ['g r'] },
  goQueues: { name: 'Go to annotation queues', scope: 'everywhere', keys: ['g q'] },
  goEvaluators: { name: 'Go to evaluators', scope: 'everywhere', keys: ['g v'] },
  goCharts: { name: 'Go to charts', scope: 'everywhere', keys: ['g c'] },
  goDatasets: { name: 'Go to datasets', scope: 'everywhere', keys: ['g d'] },
  goHealth: { name: 'Go to the health of the installation', scope: 'everywhere', keys: ['g h'] },
  goApi: { name: 'Go to the routes of the API', scope: 'everywhere', keys: ['g a'] },
  goSettings: { name: 'Go to settings', scope: 'everywhere', keys: ['g ,'] },
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
  queueNew: { name: 'Make an annotation queue of this list', scope: 'list', keys: ['a'] },
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
  note: { name: 'Write a note', scope: 'session', keys: ['c'] },
  zoom: { name: 'Zoom the waterfall to the event', scope: 'session', keys: ['z'] },
  zoomOut: { name: 'Show the whole time', scope: 'session', keys: ['Z'] },
  datapointNext: { name: 'Next datapoint', scope: 'compare', keys: ['j', 'ArrowDown'] },
  datapointPrevious: { name: 'Previous datapoint', scope: 'compare', keys: ['k', 'ArrowUp'] },
  worseNext: { name: 'Next datapoint that became worse', scope: 'compare', keys: ['r'] },
  betterNext: { name: 'Next datapoint that became better', scope: 'compare', keys: ['i'] },
  diffNext: { name: 'Next way to show differences', scope: 'compare', keys: ['d'] },
  runsSwap: { name: 'Swap both sides', scope: 'compare', keys: ['b'] },
  datapointOpen: { name: 'Open the session of the new run', scope: 'compare', keys: ['Enter'] },
  fieldNext: { name: 'Next field', scope: 'queue', keys: ['ArrowDown'] },
  fieldPrevious: { name: 'Previous field', scope: 'queue', keys: ['ArrowUp'] },
  fieldEnter: { name: 'Next field, or type into this one', scope: 'queue', keys: ['Enter'] },
  option1: { name: 'First option', scope: 'queue', keys: ['1'] },
  option2: { name: 'Second option', scope: 'queue', keys: ['2'] },
  option3: { name: 'Third option', scope: 'queue', keys: ['3'] },
  option4: { name: 'Fourth option', scope: 'queue', keys: ['4'] },
  option5: { name: 'Fifth option', scope: 'queue', keys: ['5'] },
  option6: { name: 'Sixth option', scope: 'queue', keys: ['6'] },
  option7: { name: 'Seventh option', scope: 'queue', keys: ['7'] },
  option8: { name: 'Eighth option', scope: 'queue', keys: ['8'] },
  option9: { name: 'Ninth option', scope: 'queue', keys: ['9'] },
  optionClear: { name: 'Leave the field empty', scope: 'queue', keys: ['0'] },
  answerYes: { name: 'Yes', scope: 'queue', keys: ['y'], takes: 'copyLink' },
  answerNo: { name: 'No', scope: 'queue', keys: ['n'] },
  itemSubmit: { name: 'Submit, and show the next item', scope: 'queue', keys: ['Mod+enter'] },
  itemSkip: { name: 'Skip with a reason', scope: 'queue', keys: ['s'] },
  itemLater: { name: 'Put off: keep the lease', scope: 'queue', keys: ['l'] },
  itemComment: { name: 'Write a comment', scope: 'queue', keys: ['c'] },
  doneOlder: { name: 'Show the item done before', scope: 'queue', keys: ['['] },
  doneNewer: { name: 'Show the item done after', scope: 'queue', keys: [']'] },
  undo: { name: 'Take the last submission back', scope: 'queue', keys: ['Mod+z'] },
  guidelines: { name: 'Show or hide the guidelines', scope: 'queue', keys: ['i'] },
  itemView: { name: 'Show the conversation, or what is stored', scope: 'queue', keys: ['v'] },
  itemSession: { name: 'Show the whole session, or the item alone', scope: 'queue', keys: ['w'] },
  metricTry: { name: 'Try the draft', scope: 'evaluator', keys: ['Mod+enter'] },
  metricDeploy: { name: 'Deploy the draft with a message', scope: 'evaluator', keys: ['Mod+s'] },
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
      .replace(/^Mod\+(.)/, (_, first: string) => `${isApple ? '⌘' : 'Ctrl'} ${first.toUpperCase()}`)
      .replace('ArrowDown', '↓')
      .replace('ArrowUp', '↑')
      .replace('ArrowLeft', '←')
      .replace('ArrowRight', '→'),
  );
}
