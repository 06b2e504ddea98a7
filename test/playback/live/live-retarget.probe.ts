/** A frame of a stream, whose allocations are counted: model-space rotations to the pose of another character. */

import { localToModelRotations, restPose } from '../../../src/core/skeleton/pose.ts';
import { createLiveRetarget } from '../../../src/playback/live/live-retarget.ts';
import { setModelPosition, setModelRotations } from '../../../src/playback/live/model-pose.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';

const source = tPoseHumanoid();
const { parents } = source.skeleton;
const live = createLiveRetarget(source, tPoseHumanoid({ hips: { at: [0, 2, 0] } }));
const rotations = new Float64Array(4 * parents.length);
localToModelRotations(rotations, parents, restPose(source.skeleton));
const position = new Float64Array([0, 1, 0]);

export function call(round: number): void {
  position[1] = 1 + 0.1 * Math.sin(round);
  setModelRotations(live.sourcePose, parents, rotations);
  setModelPosition(live.sourcePose, parents, 0, position, 0);
  live.update();
}
