/** Motion for prims that are there and are no joints: by their xformOps, of which a stage has one set. */
import * as mat4 from '../../../core/math/mat4.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Layer } from '../layer/layer.ts';
import { restTime } from '../read/rest-transforms.ts';
import type { UsdScene } from '../read/scene.ts';
import { primAndAncestors, primAt } from '../stage/stage.ts';
import { localTransform, transformOps, transformTimes } from '../stage/xform-ops.ts';
import type { NodeTracks } from './linear-animation.ts';
import { ensurePrim } from './over-prims.ts';
import type { TimeCodes } from './time-codes.ts';
import { writeMotion } from './write-xform.ts';

/** Operations that new ones may take the place of: they say the same. */
const PLAIN = ['xformOp:translate', 'xformOp:orient', 'xformOp:scale'];

/**
 * Whether a node is a prim that can be moved and nothing is lost by it: it stands in no instance, which is shared, its place is a translation, a
 * rotation and a scale, and it stands still; where clips `replace` what is there it may move.
 */
export function canMovePrim({ stage, prims, joints }: UsdScene, node: number, replace: boolean): boolean {
  const prim = primAt(stage, prims[node] ?? '');
  if (prim === null || joints[node] >= 0 || prim.isInstanceProxy) return false;
  if (prim.typeName === '' || prim.typeName === 'Scope') return false;
  if (!replace && transformTimes(stage, prim.path).length > 0) return false;
  const { matrix } = localTransform(stage, prim.path, restTime(stage, prim.path));
  return mat4.decompose(new Float64Array(POSE_STRIDE), 0, matrix, 0);
}

/**
 * Moves the prim of a node by linear tracks; what no track moves stays at rest, and without tracks all of it. Operations of other kinds stay in the
 * file and are left out of the order: new ones have names of their own then.
 */
export function movePrim(
  layer: Layer,
  { stage, prims, nodes }: UsdScene,
  node: number,
  tracks: NodeTracks,
  duration: number,
  codes: TimeCodes,
): void {
  const path = prims[node];
  const ops = transformOps(stage, path);
  const isPlain = ops.every(
    (op, k) => PLAIN.includes(op) && (k === 0 || PLAIN.indexOf(ops[k - 1]) < PLAIN.indexOf(op)),
  );
  const { resetsStack } = localTransform(stage, path, restTime(stage, path));
  ensurePrim(layer, stage, path);
  const local = nodes.rest.subarray(POSE_STRIDE * node, POSE_STRIDE * (node + 1));
  writeMotion(layer, path, local, tracks, duration, codes, { suffix: isPlain ? '' : ':clip', resetsStack });
}

/** Nodes of the prims that are Skeletons or stand above them and move, by the paths of the Skeletons. */
export function movingPrimsAbove({ stage, prims, joints }: UsdScene, skeletons: readonly string[]): number[] {
  const above = new Set(skeletons.flatMap((path) => primAndAncestors(stage, path).map((prim) => prim.path)));
  return prims.flatMap((path, node) => {
    return joints[node] < 0 && above.has(path) && transformTimes(stage, path).length > 0 ? [node] : [];
  });
}
