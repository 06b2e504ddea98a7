/** Updates a crowd of six characters repeatedly, to count allocations. */
import { makeRandom } from '../../../src/demo/random.ts';
import { Crowd } from '../../../src/playback/crowd/crowd.ts';
import { planCrowd } from '../../../src/playback/crowd/plan-crowd.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { compiledClip } from '../matrices/playback-cases.ts';

const source = randomRig(makeRandom(1)).humanoid;
const models = [2, 3].map((seed) => ({
  humanoid: randomRig(makeRandom(seed), { detached: false }).humanoid,
  skin: null,
}));
const { plan, reason } = planCrowd(source, models);
if (plan === null) throw new Error(reason);
const crowd = new Crowd(plan, { capacity: 6 });
const clip = compiledClip(makeRandom(5), source);
const heads = [0, 0.3].map((time) => crowd.addPlayhead(clip, { time }));
for (let k = 0; k < 6; k++) crowd.add(k % 2, heads[k % 2]);

export const call = (): void => crowd.update(1 / 60);
