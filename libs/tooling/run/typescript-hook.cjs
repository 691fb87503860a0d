// Lets `node -r` run TypeScript sources of the repository: compiles each file with swc when it is required, as jest does.
// Test programs, test support and the bench run this way; the product runs from `dist`.
const { readFileSync, existsSync } = require('node:fs');
const Module = require('node:module');
const { dirname, resolve } = require('node:path');
const { transformSync } = require('@swc/core');

const compilerOptions = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  swcrc: false,
};

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...compilerOptions, filename });
  module._compile(code, filename);
};

// Sources import each other as `./file.js`, which is the name of the compiled file.
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...rest) => {
  const isRelative = /^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts');
  const source = isRelative ? resolve(dirname(parent.filename), request.replace(/\.js$/, '.ts')) : '';
  return isRelative && existsSync(source) ? source : resolveFilename(request, parent, ...rest);
};

process.setSourceMapsEnabled(true);
module.exports = { compilerOptions };
