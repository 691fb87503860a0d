// jest's runtime, except that a worker compiles a module once, and not again for every test file that loads it. A compiled script holds no
// values: each test file runs it in a context of its own.
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/**
 * A context asks the environment for each name of the global object, in every use, by a call that V8 does not cache. As constants of the
 * context, the built-in objects that no test replaces are read as they are in a program.
 */
const BUILT_IN =
  'Object Array String Number Boolean BigInt Symbol Function RegExp JSON Math Map Set WeakMap WeakSet WeakRef Promise Proxy Reflect ' +
  'Error TypeError RangeError SyntaxError AggregateError parseInt parseFloat isNaN isFinite Atomics Buffer ' +
  'ArrayBuffer SharedArrayBuffer DataView Uint8Array Uint32Array Float64Array';
const constants = new Script(`const { ${BUILT_IN.replaceAll(' ', ', ')} } = globalThis;`);

/** Script of each module by file name, with the source that it was compiled from. */
const compiled = new Map();

module.exports = class CompileOnceRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor, _environment: environment } = this;
    constants.runInContext(environment.getVmContext());
    const parameters = executor.injectedModuleParameters.join(', ');
    const compileAgain = executor.compile.bind(executor);
    executor.compile = (source, filename) => {
      const context = environment.getVmContext();
      if (context === null) return null;
      const script = scriptOf(source, filename, parameters);
      // jest explains why a source cannot be compiled.
      return script ? script.runInContext(context) : compileAgain(source, filename);
    };
  }
};

/** Returns undefined when the source cannot be compiled. The function begins in the first line, so that line numbers are those of the file. */
function scriptOf(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source && known.parameters === parameters) return known.script;
  const head = `(function (${parameters}) {`;
  try {
    const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
    compiled.set(filename, { source, parameters, script });
    return script;
  } catch {
    return undefined;
  }
}
