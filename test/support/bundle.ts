/** Programs as bundles, for tests that start them as processes: from their source they take ten times as long to start. */
import { existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsdown';
import config from '../../tsdown.config.ts';
import { inProject } from './documents.ts';

const PROGRAMS = {
  anyrig: { entry: config.entry ?? {}, main: 'main.js' },
  'kill-child': { entry: { 'kill-child': inProject('test/batch/kill-child.ts') }, main: 'kill-child.js' },
};

/**
 * Bundles the command line as it is shipped, or the batch that tests kill, once in a run of the tests: watch mode does not see later changes.
 *
 * @returns Path of its main module.
 */
export async function bundledProgram(name: keyof typeof PROGRAMS): Promise<string> {
  const { entry, main } = PROGRAMS[name];
  const folder = join(tmpdir(), `bundle-${name}`);
  if (!existsSync(folder)) {
    const made = mkdtempSync(`${folder}-`);
    // Its code looks for packages and package.json where an installation has them.
    for (const path of ['node_modules', 'package.json']) symlinkSync(inProject(path), join(made, path));
    await build({ ...config, entry, outDir: join(made, 'dist/cli'), logLevel: 'silent', config: false });
    try {
      renameSync(made, folder);
    } catch {
      // Another process of this run was faster.
      rmSync(made, { recursive: true });
    }
  }
  return join(folder, 'dist/cli', main);
}
