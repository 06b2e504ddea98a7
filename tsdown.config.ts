import { defineConfig, type UserConfig } from 'tsdown';

const DEMO = /demo\/run-demo\.ts$/;

/** Each entry becomes one file that has all it needs: reading many files costs more than running them. */
function bundle(entry: string, name: string): UserConfig {
  return {
    entry: { [name]: entry },
    outDir: 'dist/cli',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    fixedExtension: false,
    dts: false,
    minify: true,
    clean: false,
    report: false,
    outputOptions: { codeSplitting: false },
    // citty is bundled; meshoptimizer is loaded from where the package is installed, if it is.
    deps: { alwaysBundle: ['citty'], onlyBundle: ['citty'], neverBundle: ['meshoptimizer/decoder'] },
    plugins: [builtins, demoApart],
  };
}

/** The demo is a quarter of the code and seldom wanted: `main.js` imports `demo.js` when it is. */
const demoApart = {
  name: 'demo-apart',
  resolveId(id: string, importer: string | undefined) {
    return importer !== undefined && DEMO.test(id) ? { id: './demo.js', external: true } : null;
  },
};

const BUILTIN = /^node:/;

/**
 * Modules of Node by `process.getBuiltinModule` (Node 20.16): an `import` of node:fs reads all its exports, among them
 * getters that load the whole of streams.
 */
const builtins = {
  name: 'builtins',
  resolveId: (id: string) => (BUILTIN.test(id) ? `\0${id}` : null),
  load(id: string) {
    if (!id.startsWith('\0node:')) return null;
    const name = JSON.stringify(id.slice(1));
    const module = process.getBuiltinModule(id.slice(1)) as object;
    const members = Object.entries(Object.getOwnPropertyDescriptors(module))
      .filter(([key, { value }]) => typeof value === 'function' || key === 'sep')
      .map(([key]) => `export const ${key} = /* @__PURE__ */ (() => process.getBuiltinModule(${name}).${key})();`);
    return { code: members.join('\n'), moduleSideEffects: false };
  },
};

/** The bundle of the command line. `tsc` builds the library. */
export default defineConfig([bundle('src/cli/main.ts', 'main'), bundle('src/demo/run-demo.ts', 'demo')]);
