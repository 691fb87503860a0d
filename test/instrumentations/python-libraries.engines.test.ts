import { weatherContract, type PlayedLibrary } from './expectations/weather-contract.js';
import { playLibraries } from './libraries/play-libraries.js';
import { PYTHON_LIBRARIES } from './libraries/python-libraries.js';

const libraries = PYTHON_LIBRARIES.map((library, index) => ({
  ...library,
  index,
  name: `${library.packages.join(', ')} (${library.program.join(' ')})`,
}));

describe('libraries of Python', () => {
  let played: PlayedLibrary[];
  beforeAll(async () => {
    played = await playLibraries(PYTHON_LIBRARIES);
  }, 3_600_000);

  describe.each(libraries)('$name', (library) => weatherContract(library, () => played[library.index]!));
});
