/** Keeps contacts in one frame of a walk and then of a crawl, to measure their allocations. */
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { createLiveContacts } from '../../../../src/core/contacts/live/live-contacts.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { CHIBI } from '../../../../src/demo/figure/proportions.ts';
import { crawl } from '../../../contacts/crawl-motion.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

const FRAMES = 60;

const [source, target] = await Promise.all([demoBody(), demoBody(CHIBI)]);
const retarget = planRetarget(source.humanoid, target.humanoid);
const plan = planContacts(retarget, source.humanoid, target.humanoid, {
  mode: 'lock',
  sourceSurface: source.surface,
  targetSurface: target.surface,
});
const contacts = createLiveContacts(plan);
const onHands = crawl(source);
const frames = Array.from({ length: 2 * FRAMES }, (_, k) => {
  const [clip, frame] = [k < FRAMES ? source.walk : onHands, k % FRAMES];
  const sourcePose = restPose(source.humanoid.skeleton);
  const targetPose = restPose(target.humanoid.skeleton);
  sampleClip(clip, (frame * clip.duration) / FRAMES, sourcePose);
  return { sourcePose, targetPose: retargetPose(retarget, sourcePose, targetPose) };
});
const targetPose = restPose(target.humanoid.skeleton);

export function call(round: number): void {
  const frame = frames[round % (2 * FRAMES)];
  targetPose.set(frame.targetPose);
  contacts.update(frame.sourcePose, targetPose, 1 / 60);
}
