import type { Api } from '../api.js';
import type { Output } from '../output.js';

/** What a command uses. */
export interface CommandContext {
  /** Reads the settings; a command that fails on them prints a sentence. */
  readonly api: () => Api;
  readonly output: Output;
  /** Sets the exit code of the process. */
  readonly exitWith: (code: number) => void;
}
