import { createHash } from 'node:crypto';
import { defineConfig, type UserConfig } from 'tsdown';

/** What few runs need is a file of its own: the demo, all about FBX, about USD, validation, what makes a character conform. */
const APART: readonly (readonly [RegExp, string])[] = [
  [/demo\/run-demo\.ts$/, './demo.js'],
  [/\/fbx\.ts$/, './fbx.js'],
  [/\/usd\.ts$/, './usd.js'],
  [/\/validate-file\.ts$/, './validate.js'],
  [/\/define-humanoid\.ts$/, './define.js'],
];

const apart = {
  name: 'apart',
  resolveId(id: string, importer: string | undefined) {
    const found = importer === undefined ? undefined : APART.find(([pattern]) => pattern.test(id));
    return found === undefined ? null : { id: found[1], external: true };
  },
};

interface Chunk {
  code?: string;
}

/** Text in which one byte is one character, so that it need not be decoded. */
function ascii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Imports through what `launch` hands in, and a hash of the content at the end, by which `launch` knows compiled code. */
const launched = {
  name: 'launched',
  generateBundle(_: unknown, files: Record<string, Chunk>) {
    for (const file of Object.values(files)) {
      if (file.code === undefined) continue;
      const code = ascii(file.code.replace(/\bimport\((?=[`'"])/g, 'importModule(').trimEnd());
      file.code = `${code}\n// ${createHash('sha256').update(code).digest('hex').slice(0, 16)}\n`;
    }
  },
};

/** The package is ESM, this folder is not. */
const commonJs = {
  name: 'common-js',
  generateBundle(this: { emitFile: (file: { type: 'asset'; fileName: string; source: string }) => unknown }) {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
  },
};

/** Each entry becomes one file that has all it needs: reading many files costs more than running them. */
function bundle(name: string, entry: string, plugins: UserConfig['plugins'] = []): UserConfig {
  return {
    entry: { [name]: entry },
    outDir: 'dist/cli',
    // CommonJS: its loader starts faster, and its code can be kept compiled.
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    fixedExtension: false,
    outExtensions: () => ({ js: '.js' }),
    dts: false,
    minify: true,
    clean: false,
    report: false,
    outputOptions: { codeSplitting: false },
    define: { 'import.meta.dirname': '__dirname' },
    // citty, fbx-parser and fflate are bundled; meshoptimizer and resvg are loaded from where the package is installed, if they are.
    deps: {
      alwaysBundle: ['citty', 'fbx-parser', 'fflate'],
      onlyBundle: false,
      neverBundle: ['meshoptimizer/decoder', '@resvg/resvg-js', 'gltf-validator'],
    },
    plugins: [apart, commonJs, plugins],
  };
}

/** The bundle of the command line. `tsc` builds the library. */
export default defineConfig([
  bundle('main', 'src/cli/launch.ts'),
  bundle('anyrig', 'src/cli/main.ts', [launched]),
  bundle('demo', 'src/demo/run-demo.ts'),
  bundle('fbx', 'src/files/fbx.ts'),
  bundle('usd', 'src/files/usd.ts'),
  bundle('validate', 'src/files/validate-file.ts'),
  bundle('define', 'src/files/define-humanoid.ts'),
]);
