/** Calls `sampleClip` repeatedly, to count its allocations: tracks of every interpolation, played forward in a loop. */
import type { Clip } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { randomClip } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';

const random = makeRandom(22);
const { humanoid } = randomRig(random);
export const clip: Clip = randomClip(random, humanoid, { style: 'smooth', stretch: true });
const pose = restPose(humanoid.skeleton);
const cursors = new Int32Array(clip.tracks.length);

export function call(round: number): void {
  sampleClip(clip, ((round % 500) / 500) * clip.duration, pose, cursors);
}
