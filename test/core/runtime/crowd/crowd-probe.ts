/** A small crowd for counting allocations. */
import { Crowd } from '../../../../src/core/runtime/crowd/crowd.ts';
import { type CrowdBackendFactory, plainCrowd } from '../../../../src/core/runtime/crowd/crowd-backend.ts';
import { planCrowd } from '../../../../src/core/runtime/crowd/plan-crowd.ts';
import { makeRandom } from '../../../../src/demo/random.ts';
import { randomRig } from '../../../make/random-rig.ts';
import { compiledClip } from '../playback/playback-cases.ts';

/** Returns a function that moves a crowd of six characters on by one frame. */
export function createCrowdProbe(backend: CrowdBackendFactory = plainCrowd): () => void {
  const source = randomRig(makeRandom(1)).humanoid;
  const models = [2, 3].map((seed) => ({
    humanoid: randomRig(makeRandom(seed), { detached: false }).humanoid,
    skin: null,
  }));
  const { plan, reason } = planCrowd(source, models);
  if (plan === null) throw new Error(reason);
  const crowd = new Crowd(plan, { capacity: 6, backend });
  const clip = compiledClip(makeRandom(5), source);
  const heads = [0, 0.3].map((time) => crowd.addPlayhead(clip, { time }));
  for (let k = 0; k < 6; k++) crowd.add(k % 2, heads[k % 2]);
  return () => crowd.update(1 / 60);
}
