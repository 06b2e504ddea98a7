import { createLiveFilter } from '../../../src/core/animation/live-filter.ts';
import { createPoseFromPoints } from '../../../src/core/points/live-pose.ts';
import { POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { walkingFigure } from '../../support/make/point-figure.ts';

const frames = 40;
const positions = Float64Array.from(walkingFigure(frames, 30));
const size = positions.length / frames;
const list = Array.from({ length: frames }, (_, frame) => positions.subarray(size * frame, size * (frame + 1)));
const live = createPoseFromPoints({ joints: 'smpl22', positions, frameRate: 30 });
const { filter } = createLiveFilter(live.pose.length / POSE_STRIDE);

/** Computes and smooths the pose of a frame. */
export function call(round: number): void {
  live.update(list[round % frames], 1 / 30);
  filter(live.pose, 1 / 30);
}
