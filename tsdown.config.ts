import { defineConfig } from 'tsdown';

/** The command line as few files as possible: reading many costs more than running them. `tsc` builds the library. */
export default defineConfig({
  entry: { main: 'src/cli/main.ts' },
  outDir: 'dist/cli',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  dts: false,
  minify: true,
  clean: true,
  report: false,
  // citty is bundled; meshoptimizer is loaded from where the package is installed, if it is.
  outputOptions: { codeSplitting: false },
  deps: { alwaysBundle: ['citty'], neverBundle: ['meshoptimizer/decoder'] },
});
