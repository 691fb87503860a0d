import { clientProgram, nodeFolder, pythonWith } from '../packages/client-packages.js';
import type { PlayedLibrary } from '../expectations/weather-contract.js';
import { sentSpans } from '../expectations/sent-span.js';
import { playPrograms } from '../scene/play.js';
import type { Program, SceneOutcome } from '../scene/programs.js';
import type { Library } from './library.js';

/** Runs the programs of libraries one after the other beside one Assay, each with a session key of its own. */
export async function playLibraries(libraries: readonly Library[]): Promise<PlayedLibrary[]> {
  const programs: Program[] = [];
  // One after the other: two that need the same packages must not install them both.
  for (const library of libraries) programs.push(await programOf(library));
  const outcome = await playPrograms({ programs, programWithinMs: 180_000 });
  return libraries.map((library, index) => playedBy(library, index, outcome));
}

const sessionKeyOf = ({ program }: Library): string => `weather ${program.join(' ')}`;

async function programOf(library: Library): Promise<Program> {
  const [file, ...args] = library.program;
  const SESSION = sessionKeyOf(library);
  if (library.python === undefined)
    return {
      file: process.execPath,
      args: [clientProgram(`node/${file}`), ...args],
      environment: { NODE_PATH: `${await nodeFolder()}/node_modules`, SESSION },
    };
  return {
    file: await pythonWith(library.python),
    args: [clientProgram(`python/libraries/${file}`), ...args],
    environment: { PYTHONPATH: clientProgram('python'), SESSION },
  };
}

/** The events of the sessions that hold the spans of the program. */
function playedBy(library: Library, index: number, { ends, events }: SceneOutcome): PlayedLibrary {
  const end = ends[index]!;
  const spanIds = new Set(sentSpans(end).map(({ spanId }) => spanId));
  const isOwn = (metadata: Record<string, unknown>) => spanIds.has(String(metadata.span_id));
  const sessions = new Set(
    events.filter(({ metadata }) => isOwn(metadata)).map(({ session_id }) => session_id),
  );
  return {
    sessionKey: sessionKeyOf(library),
    end,
    events: events.filter(({ session_id }) => sessions.has(session_id)),
  };
}
