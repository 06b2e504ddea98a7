/** The poses that a body has besides its motions: the reference pose of retargeting, that of its nodes, its bind pose. */
import { bindPose, restPose } from '../core/skeleton/pose.ts';
import { type DrawnSkeleton, drawnPositions, drawnReference } from './drawn-skeleton.ts';

/** What motion is measured from, how the nodes stand (the rest pose), and how the skin was bound. */
export type PoseName = 'reference' | 'node' | 'bind';

/** A pose of a body, as it is drawn. */
export interface SkeletonPose {
  readonly name: PoseName;
  /** Positions of the drawn joints, xyz, on the ground of the body. */
  readonly positions: Float64Array;
}

/** Parts of the height that a joint of the bind pose is off that of the nodes at least where both are shown. */
const DIFFERENT = 0.01;

/** The drawn joints that a pose is judged by: the bones, or where none are known all. */
function judged({ bones, nodes }: DrawnSkeleton): number[] {
  if (bones === null) return Array.from(nodes, (_, joint) => joint);
  return Array.from(bones).filter((joint) => joint >= 0);
}

function lowest(joints: readonly number[], positions: Float64Array): number {
  return joints.reduce((least, joint) => Math.min(least, positions[3 * joint + 1]), Number.POSITIVE_INFINITY);
}

/** Lifts a pose so that its lowest joint is at a height: zero poses hang around the origin, bind poses where the mesh was. */
function seat(joints: readonly number[], positions: Float64Array, height: number): void {
  const lift = height - lowest(joints, positions);
  if (!Number.isFinite(lift)) return;
  for (let at = 1; at < positions.length; at += 3) positions[at] += lift;
}

/** Whether two poses on the same ground differ, wherever they stand. */
function differ(body: DrawnSkeleton, joints: readonly number[], a: Float64Array, b: Float64Array): boolean {
  const [root] = joints;
  const far = DIFFERENT * body.height;
  return joints.some((joint) =>
    [0, 1, 2].some((axis) => {
      const off = axis === 1 ? 0 : a[3 * root + axis] - b[3 * root + axis];
      return Math.abs(a[3 * joint + axis] - b[3 * joint + axis] - off) > far;
    }),
  );
}

/** The poses of a body, seated on the same ground: of a humanoid the reference pose, that of the nodes, and where a skin is bound the bind pose. */
export function allPoses(body: DrawnSkeleton): SkeletonPose[] {
  const { skeleton } = body;
  const joints = judged(body);
  const poses: SkeletonPose[] = [];
  const reference = drawnReference(body);
  if (reference !== null) poses.push({ name: 'reference', positions: reference });
  const rest = drawnPositions(body, restPose(skeleton));
  poses.push({ name: 'node', positions: rest });
  const bind = bindPose(skeleton);
  if (bind !== null) poses.push({ name: 'bind', positions: drawnPositions(body, bind) });
  const floor = lowest(joints, poses[0].positions);
  for (const { positions } of poses) seat(joints, positions, floor);
  return poses;
}

/** The same without a bind pose that is that of the nodes. */
export function distinctPoses(body: DrawnSkeleton): SkeletonPose[] {
  const poses = allPoses(body);
  const nodes = poses.find(({ name }) => name === 'node')?.positions;
  return poses.filter(({ name, positions }) => {
    return name !== 'bind' || nodes === undefined || differ(body, judged(body), positions, nodes);
  });
}
