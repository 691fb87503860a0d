import { env as environment } from 'node:process';

/** What a group of tests needs from the machine. */
export interface Requirement {
  /** Why the tests cannot run here; undefined when they can. */
  readonly missing?: string;
  /** Fails where the tests cannot run. By default when `TESTS_MUST_RUN` is set, as the workflow of the repository does. */
  readonly mustRun?: boolean;
}

/** Jest's `describe` and `it`, as far as they are needed. */
export interface TestFunctions {
  readonly describe: ((name: string, tests: () => void) => void) & {
    readonly skip: (name: string, tests: () => void) => void;
  };
  readonly it: (title: string, test: () => void) => void;
}

/** Returns whether no test may be left out, because the machine is known to be able to run all of them. */
export function mustAllRun({
  TESTS_MUST_RUN = '',
}: Readonly<Record<string, string | undefined>> = environment): boolean {
  return !['', '0', 'false'].includes(TESTS_MUST_RUN);
}

/**
 * Describes tests that not every machine can run. Where it cannot, they are skipped with the reason in their title, or
 * one test fails with the reason. They never pass without having run.
 * @param functions those of jest, which are globals of test files only
 */
export function describeWhere(
  functions: TestFunctions,
  name: string,
  { missing, mustRun = mustAllRun() }: Requirement,
  tests: () => void,
): void {
  const { describe, it } = functions;
  if (missing === undefined) return describe(name, tests);
  if (!mustRun) return describe.skip(`${name} (skipped: ${missing})`, tests);
  describe(name, () =>
    it('runs on this machine', () => {
      throw new Error(`cannot run: ${missing}`);
    }),
  );
}
