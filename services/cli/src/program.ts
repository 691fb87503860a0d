import { Command, CommanderError } from 'commander';
import { Api } from './api.js';
import { CliError } from './cli-error.js';
import { readTls, TLS_FLAGS, type TlsFlags } from './connection.js';
import type { CommandContext } from './commands/command-context.js';
import { addBackup } from './commands/backup.js';
import { addDeadLetters } from './commands/dead-letters.js';
import { addDoctor } from './commands/doctor.js';
import { addGate } from './commands/gate.js';
import { addImportDatapoints } from './commands/import-datapoints.js';
import { addKeys } from './commands/keys.js';
import { addLogin } from './commands/login.js';
import { addMigrate } from './commands/migrate.js';
import { addMoving } from './commands/moving.js';
import { addProjects } from './commands/projects.js';
import { addStatus } from './commands/status.js';
import { makeOutput, type Streams } from './output.js';
import { readSettings } from './settings.js';
import { versionLine } from './version.js';

export interface ProgramOptions extends Streams {
  /** Without the program's own name. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Printed below the help of every command. */
const ENVIRONMENT = `
Environment:
  ASSAY_URL          address of the API, http://127.0.0.1:8090 by default
  ASSAY_ADMIN_URL    addresses of admin ports for doctor, http://127.0.0.1:8091 by default
  ASSAY_API_KEY      key of a project, or ASSAY_API_KEY_FILE
  ASSAY_ADMIN_TOKEN  the administrator's token, or ASSAY_ADMIN_TOKEN_FILE`;

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/**
 * Runs one command. @returns the exit code: 0, 1 for a failure or a fault that was found, 2 for wrong arguments, and for a gate
 * that is undecided or cannot be asked
 */
export async function runProgram({ args, environment, ...streams }: ProgramOptions): Promise<number> {
  let exitCode = 0;
  const program = new Command('assay')
    .description('Operates Assay through its routes. ASSAY_URL and ASSAY_ADMIN_URL are its addresses.')
    .version(versionLine(), '-V, --version', 'prints version and commit of this command')
    .addHelpText('afterAll', ENVIRONMENT)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      writeErr: (text) => void streams.stderr.write(text),
    });
  for (const add of OPTIONS) add(program);
  const context: CommandContext = {
    api: () => new Api(readSettings(environment), readTls(program.opts<TlsFlags>(), environment)),
    output: makeOutput(streams, () => program.opts<{ json?: boolean }>().json === true),
    exitWith: (code) => (exitCode = code),
  };
  for (const add of COMMANDS) add(program, context);
  shareOptions(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return failureCode(error, streams);
  }
}

const COMMANDS = [
  ...[addStatus, addDoctor, addGate, addImportDatapoints, addProjects, addKeys, addLogin, addMigrate],
  ...[addDeadLetters, addMoving, addBackup],
];

/** Options of every command. */
const OPTIONS: readonly ((command: Command) => void)[] = [
  (command) => void command.option('--json', 'prints the result as JSON'),
  ...TLS_FLAGS.map(
    ([flag, variable, description]) =>
      (command: Command) =>
        void command.option(flag, `${description} (${variable})`),
  ),
];

/** Every command accepts them behind its name too. */
function shareOptions(program: Command): void {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of program.commands.flatMap(all)) {
    if (command.commands.length > 0) continue;
    for (const add of OPTIONS) add(command);
    const shared = program.options.map((option) => option.attributeName());
    command.hook('preAction', () => {
      for (const name of shared) {
        const value: unknown = command.getOptionValue(name);
        if (value !== undefined) program.setOptionValue(name, value);
      }
    });
  }
}

function failureCode(error: unknown, { stderr }: Streams): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  const message = error instanceof CliError ? error.message : 'the command failed for an unexpected reason';
  stderr.write(`error: ${message}\n`);
  return error instanceof CliError ? error.exitCode : EXIT_FAILURE;
}
