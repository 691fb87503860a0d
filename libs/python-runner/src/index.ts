export type {
  PythonCall,
  PythonError,
  PythonErrorCode,
  PythonFailure,
  PythonOutcome,
  PythonReturnType,
  PythonRunner,
  PythonRunnerOptions,
  PythonRunnerState,
  PythonScore,
  PythonValue,
} from './python-runner.js';
export { startPythonRunner } from './start-python-runner.js';
export {
  createSyntaxChecker,
  type SyntaxChecker,
  type SyntaxCheckerOptions,
  type SyntaxMistake,
} from './syntax-checker.js';
