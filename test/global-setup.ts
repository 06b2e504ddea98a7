import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ASSETS, HAS_ASSETS } from './support/assets.ts';

/**
 * Prints once per run whether the tests on third-party files run or are skipped, and gives the run a temporary folder of its own, in which everything that
 * tests and ended processes leave behind is removed with it.
 */
export default function setup(): () => void {
  if (!HAS_ASSETS) console.log(`No assets at ${ASSETS} (set ANYRIG_ASSETS): tests on files of others are skipped.`);
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
