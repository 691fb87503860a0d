/** What the command of the bench is asked for. */
export interface BenchArguments {
  /** Part of the name of what is measured; empty for all of it. */
  readonly filter: string;
  /** The commit to compare with. */
  readonly against?: string;
}

const USAGE = 'npm run bench [-- [NAME] [--against REF]]';

/** Reads the arguments of the command: a name, and `--against` with a commit, in any order. @throws Error that says how the command is used */
export function readArguments(given: readonly string[]): BenchArguments {
  const names: string[] = [];
  let against: string | undefined;
  for (let at = 0; at < given.length; at++) {
    const one = given[at] ?? '';
    if (one !== '--against') names.push(one);
    else against = given[++at] ?? '';
  }
  if (against === '' || against?.startsWith('-')) throw new Error(`--against needs a commit: ${USAGE}`);
  const [filter = '', more] = names;
  if (more !== undefined || filter.startsWith('-')) throw new Error(`unknown argument: ${USAGE}`);
  return { filter, ...(against !== undefined && { against }) };
}
