import * as mat4 from '../../../core/math/mat4.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { authorAnimatedTransform } from '../author/author-xform-ops.ts';
import { overridePrim } from '../author/override-prim.ts';
import type { NodeTracks } from '../author/sample-tracks.ts';
import type { Layer } from '../layer/layer.ts';
import { restTime } from '../read/rest-transforms.ts';
import type { UsdScene } from '../read/scene.ts';
import { primAndAncestors, primAt } from '../stage/stage.ts';
import { localTransform, transformOps, transformTimes } from '../stage/xform-ops.ts';
import type { TimeCodes } from '../time-codes.ts';

/** The ops that we write. If a prim has only these, in this order, they are overwritten. */
const TRS_OPS = ['xformOp:translate', 'xformOp:orient', 'xformOp:scale'];

/**
 * Checks whether a node is a prim that can be animated without loss: a prim outside of instances whose transform is a translation, rotation and scale
 * and that is static.
 */
export function canAnimatePrim({ stage, prims, joints }: UsdScene, node: number, replace: boolean): boolean {
  const prim = primAt(stage, prims[node] ?? '');
  if (prim === null || joints[node] >= 0 || prim.isInstanceProxy) return false;
  if (prim.typeName === '' || prim.typeName === 'Scope') return false;
  if (!replace && transformTimes(stage, prim.path).length > 0) return false;
  const { matrix } = localTransform(stage, prim.path, restTime(stage, prim.path));
  return mat4.decompose(new Float64Array(POSE_STRIDE), 0, matrix, 0);
}

/**
 * Animates the prim of a node by linear tracks; paths without a track stay at rest. If the prim has other ops than translate, orient, scale, they
 * remain in the file but are removed from `xformOpOrder`, and the new ops have the suffix `:clip`. `layer`: the root layer, changed in place.
 * `codes`: converts seconds to time codes.
 */
export function animatePrim(
  layer: Layer,
  { stage, prims, nodes }: UsdScene,
  node: number,
  tracks: NodeTracks,
  duration: number,
  codes: TimeCodes,
): void {
  const path = prims[node];
  const ops = transformOps(stage, path);
  const hasTrsOps = ops.every(
    (op, k) => TRS_OPS.includes(op) && (k === 0 || TRS_OPS.indexOf(ops[k - 1]) < TRS_OPS.indexOf(op)),
  );
  const { resetsStack } = localTransform(stage, path, restTime(stage, path));
  overridePrim(layer, stage, path);
  const local = nodes.rest.subarray(POSE_STRIDE * node, POSE_STRIDE * (node + 1));
  authorAnimatedTransform(layer, path, local, tracks, {
    duration,
    codes,
    suffix: hasTrsOps ? '' : ':clip',
    resetsStack,
  });
}

export function animatedPrimsAbove({ stage, prims, joints }: UsdScene, skeletons: readonly string[]): number[] {
  const above = new Set(skeletons.flatMap((path) => primAndAncestors(stage, path).map((prim) => prim.path)));
  return prims.flatMap((path, node) => {
    return joints[node] < 0 && above.has(path) && transformTimes(stage, path).length > 0 ? [node] : [];
  });
}
