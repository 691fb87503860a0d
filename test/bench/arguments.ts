/** What the command of the bench is asked for. */
export interface BenchArguments {
  /** Part of the name of what is measured; empty for all of it. */
  readonly filter: string;
  /** The commit to compare with. */
  readonly against?: string;
  /** `off`: to compare with an event store that remembers nothing. */
  readonly hints?: 'off';
}

const USAGE = 'npm run bench [-- [NAME] [--against REF | --hints=off]]';
const WITHOUT_HINTS = '--hints=off';

/**
 * Reads the arguments of the command: a name, and `--against` with a commit or `--hints=off`, in any order.
 * @throws Error that says how the command is used
 */
export function readArguments(given: readonly string[]): BenchArguments {
  const names: string[] = [];
  let against: string | undefined;
  for (let at = 0; at < given.length; at++) {
    const one = given[at] ?? '';
    if (one === '--against') against = given[++at] ?? '';
    else if (one !== WITHOUT_HINTS) names.push(one);
  }
  const [filter = '', more] = names;
  if (more !== undefined || filter.startsWith('-')) throw new Error(`unknown argument: ${USAGE}`);
  const isWithoutHints = given.includes(WITHOUT_HINTS);
  if (against !== undefined) checkCommit(against, isWithoutHints);
  return { filter, ...(against !== undefined && { against }), ...(isWithoutHints && { hints: 'off' }) };
}

function checkCommit(against: string, isWithoutHints: boolean): void {
  if (against === '' || against.startsWith('-')) throw new Error(`--against needs a commit: ${USAGE}`);
  if (isWithoutHints) throw new Error(`compare with one thing: ${USAGE}`);
}
