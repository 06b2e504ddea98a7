import { defineConfig } from 'tsdown';

/** The bundle of the command line: one build, split where code is imported on first use. `tsc` builds the library. */
export default defineConfig({
  entry: { main: 'src/cli/main.ts', 'batch-worker': 'src/batch/batch-worker.ts' },
  outDir: 'dist/cli',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  dts: false,
  minify: true,
  clean: false,
  report: false,
  outputOptions: {
    // One folder: code finds package.json, the page of the studio and the worker relative to its own file.
    chunkFileNames: '[name].js',
    // One file of what most commands need: reading many small files takes longer, and so does compiling what only a few need.
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 4 }] },
  },
  // An installation has them too, but small files load faster as part of the bundle.
  deps: { alwaysBundle: ['fflate'], onlyBundle: false },
});
