import { ASSETS, HAS_ASSETS } from './assets.ts';

/** Says once per run whether the tests on files of others run or are left out. */
export default function setup(): void {
  if (!HAS_ASSETS) console.log(`No assets at ${ASSETS} (set ANYRIG_ASSETS): tests on files of others are skipped.`);
}
