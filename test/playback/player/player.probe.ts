/** A frame of a player, whose allocations are counted: two clips that fade, an additive one with a mask, root motion, events. */

import { findRootMotionNode } from '../../../src/core/humanoid/root-motion-node.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { createBoneMask } from '../../../src/playback/blend/bone-mask.ts';
import { Player } from '../../../src/playback/player/player.ts';
import { planPlayerClip } from '../../../src/playback/player/player-clip.ts';
import { randomClip } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';

const random = makeRandom(22);
const { humanoid } = randomRig(random);
const { skeleton } = humanoid;
const rootMotion = findRootMotionNode(humanoid);
const [walk, run] = Array.from({ length: 2 }, () => {
  const clip = randomClip(random, humanoid, { style: 'smooth' });
  const events = Array.from({ length: 20 }, (_, k) => ({ time: (k / 20) * clip.duration, name: `step ${k}` }));
  return planPlayerClip(skeleton, clip, { rootMotion, events });
});
const lean = planPlayerClip(skeleton, randomClip(random, humanoid, { style: 'smooth' }), {
  additiveTo: restPose(skeleton),
});
const player = new Player(skeleton);
const counted = { events: 0 };
player.onEvent = () => {
  counted.events++;
};
const walking = player.action(walk).play();
const running = player.action(run).play().setLoop('pingPong');
// A fade longer than the measurement.
walking.crossFadeTo(running, 1e4, true);
const leaning = player.action(lean).play();
leaning.mask = createBoneMask(humanoid, { spine: 1 });

export function call(): void {
  player.update(1 / 60);
}
