import { createHash } from 'node:crypto';
import { defineConfig, type UserConfig } from 'tsdown';

/** Modules that are bundled apart, because few runs need them: the demo, FBX, USD, validation, humanoid definitions, batches and the server. */
const APART: readonly (readonly [RegExp, string])[] = [
  [/demo\/run-demo\.ts$/, './demo.js'],
  [/\/fbx-bundle\.ts$/, './fbx.js'],
  [/\/usd-bundle\.ts$/, './usd.js'],
  [/node\/validate-file\.ts$/, './validate.js'],
  [/\/define-humanoid\.ts$/, './define.js'],
  [/\/batch-bundle\.ts$/, './batch.js'],
  [/\/server-bundle\.ts$/, './studio.js'],
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

/** Escapes non-ASCII characters, so that the file can be read as Latin-1, without decoding. */
function ascii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Imports through the function that `launch` passes in, and appends a hash of the content, by which `launch` finds the compiled code. */
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

/** Marks the folder as CommonJS; the package is ESM. */
const commonJs = {
  name: 'common-js',
  generateBundle(this: { emitFile: (file: { type: 'asset'; fileName: string; source: string }) => unknown }) {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
  },
};

/** Bundles an entry into one file: reading many files takes longer than running them. */
function bundle(name: string, entry: string, plugins: UserConfig['plugins'] = []): UserConfig {
  return {
    entry: { [name]: entry },
    outDir: 'dist/cli',
    // CommonJS starts faster than ESM, and its compiled code can be cached.
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
    // Packages that few runs need are loaded from node_modules, where they are installed.
    deps: {
      alwaysBundle: ['citty', 'fbx-parser', 'fflate'],
      onlyBundle: false,
      neverBundle: [
        'piscina',
        'bullmq',
        'prom-client',
        '@aws-sdk/client-s3',
        'meshoptimizer/decoder',
        '@resvg/resvg-js',
        'gltf-validator',
      ],
    },
    plugins: [apart, commonJs, plugins],
  };
}

/** The bundle of the command line. `tsc` builds the library. */
export default defineConfig([
  bundle('main', 'src/cli/launch.ts'),
  bundle('anyrig', 'src/cli/main.ts', [launched]),
  bundle('demo', 'src/demo/run-demo.ts'),
  bundle('fbx', 'src/files/adapters/fbx-bundle.ts'),
  bundle('usd', 'src/files/adapters/usd-bundle.ts'),
  bundle('validate', 'src/files/node/validate-file.ts'),
  bundle('define', 'src/files/jobs/define-humanoid.ts'),
  bundle('batch', 'src/batch/batch-bundle.ts'),
  bundle('batch-worker', 'src/batch/batch-worker.ts'),
  bundle('studio', 'src/studio-server/server-bundle.ts'),
]);
