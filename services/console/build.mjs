// Builds the console to `dist`: `node build.mjs`, or `node build.mjs --watch` to build again after each change. The sources of
// `@assay/domain/browser` are read as they are, so that this runs beside the compiler. Types are checked by `npm run typecheck`.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = join(folder, 'dist');
/** Pictures are compressed already. */
const COMPRESSED = /\.(?:js|css|html|svg|json)$/;

/** Styles of a later layer win over those of an earlier one, wherever a file is in the style sheet. */
const LAYERS = '@layer tokens, reset, parts, screens;';

/**
 * What several screens use is one file, so that the first load has few requests. The lists come first and show no messages: what does is a
 * file of its own.
 */
const GROUPS = [
  {
    ...{ name: 'messages', minShareCount: 2, priority: 1 },
    test: /[\\/]src[\\/](?:session|payload|annotation|worker|diff)[\\/]|react-virtual/,
  },
  { name: 'shared', minShareCount: 2 },
];

function orderLayers() {
  return {
    name: 'order-layers',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.fileName.endsWith('.css')) file.source = `${LAYERS}${file.source}`;
      },
    },
  };
}

/** Writes `.gz` and `.br` beside each file, which the server sends unchanged. */
function compress() {
  return {
    name: 'compress',
    closeBundle() {
      for (const entry of readdirSync(dist, { withFileTypes: true, recursive: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
        const content = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        // Quality 10 and 11 take several times as long for 3 % less.
        const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params: quality }));
      }
      process.stdout.write('Built the console\n');
    },
  };
}

await build({
  configFile: false,
  root: folder,
  base: '/console/',
  logLevel: 'warn',
  // Every text of a page passes a file of the console, see `src/text`.
  plugins: [react({ jsxImportSource: '#text' }), orderLayers(), compress()],
  worker: { format: 'es' },
  build: {
    outDir: dist,
    emptyOutDir: true,
    target: ['es2023', 'chrome123', 'firefox128', 'safari17.5'],
    // The policy of the responses admits neither inline code nor data of other origins in scripts.
    assetsInlineLimit: 0,
    // One style sheet: its layers have one order, and no screen appears before its styles.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS, includeDependenciesRecursively: false } } },
    reportCompressedSize: false,
    ...(process.argv.includes('--watch') && { watch: {} }),
  },
});
