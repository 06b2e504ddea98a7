import { ASSETS, HAS_ASSETS } from './assets.ts';

/** Prints once per run whether the tests on third-party files run or are skipped. */
export default function setup(): void {
  if (!HAS_ASSETS) console.log(`No assets at ${ASSETS} (set ANYRIG_ASSETS): tests on files of others are skipped.`);
}
