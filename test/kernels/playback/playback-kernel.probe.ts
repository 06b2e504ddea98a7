/** Updates a group of characters repeatedly, to count allocations. */
import { makeRandom } from '../../../src/demo/random.ts';
import {
  createPlaybackMemory,
  loadPlaybackKernel,
  PlaybackGroup,
  type PlaybackKernel,
} from '../../../src/kernels/playback/playback-kernel.ts';
import { ownCase } from '../../core/runtime/playback/playback-cases.ts';

const { plan, clip } = ownCase(makeRandom(5));
const group = new PlaybackGroup(createPlaybackMemory((await loadPlaybackKernel()) as PlaybackKernel), plan, 3);
group.addClip(clip);
for (let i = 0; i < 3; i++) group.setClip(i, clip);

export function call(round: number): void {
  for (let i = 0; i < 3; i++) group.times[i] = (((round + 100 * i) % 500) / 500) * clip.compiled.duration;
  group.update();
}
