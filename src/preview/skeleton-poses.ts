/** The static poses of a skeleton: the reference pose of retargeting, the rest pose of its nodes, and its bind pose. */
import { bindPose, restPose } from '../core/skeleton/pose.ts';
import { type DrawnSkeleton, drawnPositions, drawnReference } from './drawn-skeleton.ts';

/** Name of a pose: `reference` is what motion is measured from, `node` the rest pose of the nodes, `bind` the pose that the skin was bound in. */
export type PoseName = 'reference' | 'node' | 'bind';

export interface SheetPose {
  readonly name: PoseName;
  /** Positions of the drawn joints, xyz, canonical frame, meters; all poses of a skeleton have the same ground. */
  readonly positions: Float64Array;
}

/** A bind pose is shown beside the rest pose when a joint differs by more than this fraction of the height. */
const DIFFERENT = 0.01;

/** Lists the drawn joints that poses are compared by: the bones, or all joints of non-humanoid skeletons. */
function comparedJoints({ bones, nodes }: DrawnSkeleton): number[] {
  if (bones === null) return Array.from(nodes, (_, joint) => joint);
  return Array.from(bones).filter((joint) => joint >= 0);
}

function lowest(joints: readonly number[], positions: Float64Array): number {
  return joints.reduce((least, joint) => Math.min(least, positions[3 * joint + 1]), Number.POSITIVE_INFINITY);
}

/** Moves a pose up or down so that its lowest joint is at `height`; zero poses are often centered on the origin. */
function moveToHeight(joints: readonly number[], positions: Float64Array, height: number): void {
  const lift = height - lowest(joints, positions);
  if (!Number.isFinite(lift)) return;
  for (let i = 1; i < positions.length; i += 3) positions[i] += lift;
}

/** Returns whether two poses on the same ground differ, ignoring horizontal offsets. */
function differ(drawn: DrawnSkeleton, joints: readonly number[], a: Float64Array, b: Float64Array): boolean {
  const [root] = joints;
  const far = DIFFERENT * drawn.height;
  return joints.some((joint) =>
    [0, 1, 2].some((axis) => {
      const off = axis === 1 ? 0 : a[3 * root + axis] - b[3 * root + axis];
      return Math.abs(a[3 * joint + axis] - b[3 * joint + axis] - off) > far;
    }),
  );
}

/**
 * Lists the poses of a skeleton, moved to the same ground. Returns the reference pose of a humanoid, the rest pose of the nodes, and the bind pose
 * if there is a skin.
 */
export function allPoses(drawn: DrawnSkeleton): SheetPose[] {
  const { skeleton } = drawn;
  const joints = comparedJoints(drawn);
  const poses: SheetPose[] = [];
  const reference = drawnReference(drawn);
  if (reference !== null) poses.push({ name: 'reference', positions: reference });
  const rest = drawnPositions(drawn, restPose(skeleton));
  poses.push({ name: 'node', positions: rest });
  const bind = bindPose(skeleton);
  if (bind !== null) poses.push({ name: 'bind', positions: drawnPositions(drawn, bind) });
  const floor = lowest(joints, poses[0].positions);
  for (const { positions } of poses) moveToHeight(joints, positions, floor);
  return poses;
}

/** Lists the poses of a skeleton, without a bind pose that equals the rest pose. */
export function distinctPoses(drawn: DrawnSkeleton): SheetPose[] {
  const poses = allPoses(drawn);
  const nodes = poses.find(({ name }) => name === 'node')?.positions;
  return poses.filter(({ name, positions }) => {
    return name !== 'bind' || nodes === undefined || differ(drawn, comparedJoints(drawn), positions, nodes);
  });
}
