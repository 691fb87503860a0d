// Sources import each other as `./file.js`, which is the name of the compiled file. A mapping of module names does the same, and costs jest
// several failed look-ups for each import of a compiled file.
const { existsSync } = require('node:fs');
const { resolve } = require('node:path');

module.exports = function resolveModule(request, options) {
  if (/^\.{1,2}\/.*\.js$/.test(request)) {
    const source = resolve(options.basedir, request.replace(/js$/, 'ts'));
    if (existsSync(source)) return source;
  }
  return options.defaultResolver(request, options);
};
