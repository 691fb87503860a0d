// Adds up jest's JSON reports.
//   count-tests.mjs --broken <n> <report>...   prints `N passed, N failed, N skipped` and exits with 0 when something passed and nothing failed;
//                                              <n> commands failed without a test that did, and count as failures
//   count-tests.mjs --failed <report>          exits with 0 when the report exists and has failures
import { existsSync, readFileSync } from 'node:fs';

function countOf(path) {
  if (!existsSync(path)) return { passed: 0, failed: 0, skipped: 0 };
  const report = parsed(readFileSync(path, 'utf8'));
  // Jest stopped while it wrote the report.
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  return {
    passed: report.numPassedTests,
    // A suite that could not run holds no failed test, and is one failure.
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [mode, first, ...rest] = process.argv.slice(2);
if (mode === '--failed') process.exit(countOf(first).failed > 0 ? 0 : 1);

const counts = rest.map(countOf);
const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
const passed = sum('passed');
const failed = sum('failed') + Number(first);
process.stdout.write(`${passed} passed, ${failed} failed, ${sum('skipped')} skipped\n`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
