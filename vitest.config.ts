import { configDefaults, defineConfig } from 'vitest/config';
import { IS_FULL_RUN } from './test/support/law-runs.ts';

export default defineConfig({
  resolve: { conditions: ['@anyrig/source', 'import', 'node', 'default'] },
  ssr: { resolve: { conditions: ['@anyrig/source', 'import', 'node', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    // What starts other programs, or compares many real files with them, is for `.ci/run` and for those who change it.
    exclude: IS_FULL_RUN ? configDefaults.exclude : [...configDefaults.exclude, 'test/external/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    globalSetup: ['test/global-setup.ts'],
    // Processes, since the tests of the docs change the working folder; each runs many files and loads modules once.
    pool: 'forks',
    isolate: false,
    // Modules that have not changed are not transformed again in the next run: a single file starts in half the time. In node_modules; `vitest --clearCache` removes it.
    experimental: { fsModuleCache: true },
    // Files of characters and laws make much garbage that dies young: a larger nursery saves a twelfth of the time.
    execArgv: ['--max-semi-space-size=64'],
    // All cores: by default one is left idle, which on two is half of them. A third process for the times of waiting made .ci/run no faster.
    maxWorkers: '100%',
  },
});
