/** Builds the studio into `dist/studio`, a folder that any web server can serve, from the sources of the library. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const CONDITIONS = ['@anyrig/source', 'module', 'browser', 'import', 'default'];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative addresses, so that the folder can be served from any path.
  base: './',
  resolve: { conditions: CONDITIONS },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    outDir: fileURLToPath(new URL('../dist/studio', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
