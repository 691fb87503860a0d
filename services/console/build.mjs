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
  plugins: [react(), compress()],
  resolve: {
    alias: {
      '@assay/domain/browser': fileURLToPath(new URL('../../libs/domain/src/browser.ts', import.meta.url)),
    },
  },
  worker: { format: 'es' },
  build: {
    outDir: dist,
    emptyOutDir: true,
    target: ['es2023', 'chrome123', 'firefox128', 'safari17.5'],
    // The policy of the responses admits neither inline code nor data of other origins in scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    ...(process.argv.includes('--watch') && { watch: {} }),
  },
});
