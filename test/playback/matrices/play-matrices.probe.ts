/** Calls `playMatrices` repeatedly, to count its allocations. */

import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { createPlaybackWork, playMatrices } from '../../../src/playback/matrices/play-matrices.ts';
import { ownCase } from './playback-cases.ts';

const { plan, clip } = ownCase(makeRandom(5));
const out = new Float32Array(MATRIX_STRIDE * plan.resultCount);
const work = createPlaybackWork(plan);

export function call(round: number): void {
  playMatrices(clip, ((round % 500) / 500) * clip.compiled.duration, out, 0, work);
}
