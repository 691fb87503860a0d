// Adds up jest's JSON reports.
//   count-tests.mjs --broken <n> --left-out <m> <report>...
//                                              prints what failed, then `N passed, N failed, N skipped`, and exits with 0 when something passed
//                                              and nothing failed; <n> commands failed without a test that did, and count as failures; <m> parts
//                                              were left out, and count as skipped
//   count-tests.mjs --failed <report>          exits with 0 when the report exists and has failures
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The lines of each failure that are printed, so that the end of the output says what failed. */
const LINES_OF_A_FAILURE = 30;

const NOTHING = { passed: 0, failed: 0, skipped: 0, failures: [] };

function countOf(path) {
  if (!existsSync(path)) return NOTHING;
  const report = parsed(readFileSync(path, 'utf8'));
  if (report === undefined) {
    return { ...NOTHING, failed: 1, failures: [`${basename(path)}: jest stopped while it wrote the report`] };
  }
  return {
    passed: report.numPassedTests,
    // A suite that could not run holds no failed test, and is one failure.
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap((suite) => failuresOf(suite, basename(path, '.json'))),
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failuresOf(suite, run) {
  const failed = suite.assertionResults.filter((test) => test.status === 'failed');
  const name = `${run}: ${relative(process.cwd(), suite.name)}`;
  if (failed.length === 0) return suite.status === 'failed' ? [`${name}\n${head(suite.message)}`] : [];
  return failed.map((test) => `${name} › ${test.fullName}\n${head(test.failureMessages.join('\n'))}`);
}

const head = (text) => stripVTControlCharacters(text).split('\n').slice(0, LINES_OF_A_FAILURE).join('\n');

const [mode, first, , leftOut, ...reports] = process.argv.slice(2);
if (mode === '--failed') process.exit(countOf(first).failed > 0 ? 0 : 1);

const counts = reports.map(countOf);
const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
const passed = sum('passed');
const failed = sum('failed') + Number(first);
for (const failure of counts.flatMap((count) => count.failures))
  process.stdout.write(`FAILED ${failure}\n\n`);
process.stdout.write(`${passed} passed, ${failed} failed, ${sum('skipped') + Number(leftOut)} skipped\n`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
