/**
 * Retargets every motion of the asset folder onto every character, directly and through an extracted file of humanoid clips, and
 * prints how far the two results differ.
 *
 *     npm run matrix:extract                    one clip per motion file
 *     npm run matrix:extract -- --clips 3       up to three clips per motion file
 *     npm run matrix:extract -- --only walk     only pairs whose file names contain a word
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf } from '../test/external/extract/faults.ts';
import { comparePair, type ExtractedPair } from '../test/external/extract/pair.ts';
import { CHARACTERS, clipIndices, MOTIONS } from '../test/external/matrix/cover.ts';
import { openOnce } from '../test/external/matrix/pair.ts';
import { ASSETS, HAS_ASSETS } from '../test/support/assets.ts';

const { values } = parseArgs({
  options: { clips: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
});

function row(motion: string, clip: number, character: string, pair: ExtractedPair | null, faults: string[]): string {
  const name = `${basename(motion).slice(0, 34).padEnd(35)}${String(clip).padStart(3)}  ${basename(character).slice(0, 30).padEnd(31)}`;
  if (pair === null) return `${name}no motion in either result`;
  const { kept, atKeys, any, hips, counts } = pair;
  const figures = [kept, atKeys].map((value) => value.toExponential(1).padStart(9)).join('');
  const degrees = ((any * 180) / Math.PI).toFixed(4).padStart(9);
  const verdict = faults.length === 0 ? 'ok' : `FAULT ${faults.join('; ')}`;
  return `${name}${figures}${degrees}${hips.toExponential(1).padStart(9)}${String(counts.resampled).padStart(5)}  ${verdict}`;
}

if (!HAS_ASSETS) {
  console.log(`There are no assets at ${ASSETS}. Set ANYRIG_ASSETS to their folder.`);
  process.exit(0);
}
let pairs = 0;
let faulty = 0;
console.log(`${'motion'.padEnd(38)}  ${'character'.padEnd(31)} kept rad keys rad    any °     hips resampled`);
for (const motion of MOTIONS()) {
  for (const clip of await clipIndices(motion, Number(values.clips))) {
    for (const character of CHARACTERS()) {
      if (!`${motion} ${character}`.includes(values.only)) continue;
      const pair = await comparePair(await openOnce(motion), clip, await openOnce(character));
      const faults = pair === null ? [] : faultsOf(pair);
      pairs++;
      if (faults.length > 0) faulty++;
      console.log(row(motion, clip, character, pair, faults));
    }
  }
}
console.log(`${pairs} pairs, ${faulty} with faults`);
process.exitCode = faulty === 0 ? 0 : 1;
