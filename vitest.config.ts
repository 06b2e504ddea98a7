import { configDefaults, defineConfig } from 'vitest/config';
import { IS_FULL_RUN } from './test/support/law-runs.ts';

/** What starts other programs, reads the types of the whole package, or goes through many real files is for `.ci/run`, and for those who change it. */
const ONLY_IN_FULL_RUNS = [
  'test/external/**',
  'test/action.test.ts',
  'test/allocation/**',
  'test/batch/queue/queue.test.ts',
  'test/cases/**',
  'test/contacts/real-laws.test.ts',
  'test/core/humanoid/mapping/{real,shape,usd}-files.test.ts',
  'test/core/humanoid/t-pose/real-characters.test.ts',
  'test/core/measure/judge.test.ts',
  'test/core/points/{known,noisy}-clips.test.ts',
  'test/files/jobs/usd-round-trip.test.ts',
  'test/formats/mmd/assets.test.ts',
  'test/formats/gltf/{players,write-geometry-players}.test.ts',
  'test/formats/usd/write/{three-usd-loader,usd-checker}.test.ts',
  'test/language/entries.test.ts',
  'test/playback/kernel/compile-kernel.test.ts',
];

export default defineConfig({
  resolve: { conditions: ['@anyrig/source', 'import', 'node', 'default'] },
  ssr: { resolve: { conditions: ['@anyrig/source', 'import', 'node', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: IS_FULL_RUN ? configDefaults.exclude : [...configDefaults.exclude, ...ONLY_IN_FULL_RUNS],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    globalSetup: ['test/global-setup.ts'],
    // Processes, since the tests of the docs change the working folder; each runs many files and loads modules once.
    pool: 'forks',
    isolate: false,
    // Modules that have not changed are not transformed again in the next run: a single file starts in half the time. In node_modules; `vitest --clearCache` removes it.
    experimental: { fsModuleCache: true },
    // Files of characters and laws make much garbage that dies young: a larger nursery saves a twelfth of the time. All cores are busy with tests: threads that share
    // the collecting of garbage take 7 % more of the processor than the one that makes it.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
    // All cores: by default one is left idle, which on two is half of them. A third process for the times of waiting made .ci/run no faster.
    maxWorkers: '100%',
  },
});
