/** Updates a group of characters repeatedly, to count allocations. */
import { makeRandom } from '../../../src/demo/random.ts';
import { PlaybackGroup } from '../../../src/playback/kernel/playback-group.ts';
import { createPlaybackMemory, type PlaybackMemory } from '../../../src/playback/kernel/playback-memory.ts';
import { ownCase } from '../matrices/playback-cases.ts';

const { plan, clip } = ownCase(makeRandom(5));
const group = new PlaybackGroup((await createPlaybackMemory()) as PlaybackMemory, plan, 3);
group.addClip(clip);
for (let i = 0; i < 3; i++) group.setClip(i, clip);

export function call(round: number): void {
  for (let i = 0; i < 3; i++) group.times[i] = (((round + 100 * i) % 500) / 500) * clip.compiled.duration;
  group.update();
}
