/** Builds the studio into `dist/studio`, a folder that any web server can serve, from the sources of the library. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { OUTPUT } from './build/chunk-groups.ts';
import { chunkList } from './build/chunk-list.ts';
import { offline } from './build/offline.ts';
import { policy } from './build/policy.ts';
import { show } from './build/show.ts';

const CONDITIONS = ['@anyrig/source', 'module', 'browser', 'import', 'default'];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative addresses, so that the folder can be served from any path.
  base: './',
  resolve: { conditions: CONDITIONS },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es', plugins: () => [chunkList('worker')], rolldownOptions: { output: OUTPUT } },
  plugins: [policy(), show(CONDITIONS), chunkList('page'), offline()],
  build: {
    outDir: fileURLToPath(new URL('../dist/studio', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { output: OUTPUT },
    // scripts/studio-size.ts prints the sizes.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
  },
});
