/**
 * Retargets every motion of the asset folder onto every character through the CLI, and prints pose errors and foot skate.
 *
 *     npm run matrix                    one clip per motion file
 *     npm run matrix -- --clips 3       up to three clips per motion file
 *     npm run matrix -- --only walk     only pairs whose file names contain a word
 *     npm run matrix -- --usd           with the characters converted to USD
 */
import { parseArgs } from 'node:util';
import { CHARACTERS, clipIndices, faultsOf, MOTIONS } from '../test/external/matrix/cover.ts';
import { convertTo, type PairResult, retargetPair } from '../test/external/matrix/pair.ts';
import { ASSETS, HAS_ASSETS } from '../test/support/assets.ts';

const { values } = parseArgs({
  options: {
    clips: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    usd: { type: 'boolean', default: false },
  },
});

/** Formats the greatest error of all sides or limbs. */
function worst(parts: Readonly<Record<string, number>>): string {
  return Math.max(0, ...Object.values(parts)).toFixed(3);
}

function row({ motion, clip, character, poseError, skate, reason }: PairResult, faults: readonly string[]): string {
  const name = `${motion.slice(0, 34).padEnd(35)}${clip.slice(0, 18).padEnd(19)}${character.slice(0, 30).padEnd(31)}`;
  if (poseError === null) return `${name}refused: ${(reason ?? '').slice(0, 90)}`;
  const figures = [
    poseError.worldDelta.max.toFixed(5),
    worst(poseError.directions),
    worst(poseError.palms),
    worst(poseError.headings),
    poseError.hipsHeight.toExponential(1),
  ];
  const slides = skate === null ? '' : `${skate.source.skate.toFixed(2)} → ${skate.target.skate.toFixed(2)}`;
  return `${name}${figures.map((text) => text.padStart(9)).join('')}${slides.padStart(15)}  ${faults.length === 0 ? 'ok' : `FAULT ${faults.join('; ')}`}`;
}

if (!HAS_ASSETS) {
  console.log(`There are no assets at ${ASSETS}. Set ANYRIG_ASSETS to their folder.`);
  process.exit(0);
}
let pairs = 0;
let faulty = 0;
let refused = 0;
console.log(
  `${'motion'.padEnd(35)}${'clip'.padEnd(19)}${'character'.padEnd(31)}  delta °  limbs °  palms °   feet °     hips    skate, %/s`,
);
for (const motion of MOTIONS()) {
  for (const clip of await clipIndices(motion, Number(values.clips))) {
    for (const character of CHARACTERS()) {
      if (!`${motion} ${character}`.includes(values.only)) continue;
      const result = await retargetPair(motion, clip, values.usd ? await convertTo('usdc', character) : character);
      const faults = faultsOf(result);
      pairs++;
      if (result.poseError === null) refused++;
      if (faults.length > 0) faulty++;
      console.log(row(result, faults));
    }
  }
}
console.log(`${pairs} pairs, ${pairs - refused} retargeted, ${refused} refused, ${faulty} with faults`);
process.exitCode = faulty === 0 ? 0 : 1;
