import { weatherContract, type PlayedLibrary } from './expectations/weather-contract.js';
import { NODE_LIBRARIES } from './libraries/node-libraries.js';
import { playLibraries } from './libraries/play-libraries.js';

describe('libraries of Node', () => {
  let played: PlayedLibrary[];
  beforeAll(async () => {
    played = await playLibraries(NODE_LIBRARIES);
  }, 600_000);

  describe.each(NODE_LIBRARIES.map((library, index) => ({ ...library, index, name: library.packages[0] })))(
    '$name',
    (library) => weatherContract(library, () => played[library.index]!),
  );
});
