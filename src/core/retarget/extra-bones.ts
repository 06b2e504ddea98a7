/** Bones beyond those of a humanoid, such as weapons, tails and chains of hair: pairs that the caller names, each relative to its parent. */
import type { Clip, Track } from '../animation/clip.ts';
import { clipWithoutReflections, reflectClip } from '../animation/reflect-clip.ts';
import { BONES } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../humanoid/node-bones.ts';
import { computeNodeReference } from '../humanoid/t-pose/node-reference.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { modelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { mapRotationKeys, mapVectorKeys, sandwichMatrix } from './map-keys.ts';
import type { RetargetPlan } from './plan-types.ts';

/** How one bone of the target follows one of the source. */
export interface ExtraBone {
  readonly sourceNode: number;
  readonly targetNode: number;
  /** 4×4 that takes local rotations of the source to those of the target. */
  readonly rotation: Float64Array;
  /** 3×3 that takes local translations, column-major; then `offset` is added. */
  readonly linear: Float64Array;
  readonly offset: Float64Array;
}

function nodeOf({ skeleton, map }: Humanoid, name: string, side: string): number {
  const node = skeleton.names.indexOf(name);
  if (node < 0) {
    const near = skeleton.names.filter((_, k) => !map.nodes.includes(k)).slice(0, 6);
    throw new RangeError(
      `The ${side} has no node ${JSON.stringify(name)}; expected one beyond its bones, such as ${near.map((one) => JSON.stringify(one)).join(', ') || 'none: it has no other nodes'}.`,
    );
  }
  const bone = map.nodes.indexOf(node);
  if (bone >= 0)
    throw new RangeError(
      `The node ${JSON.stringify(name)} of the ${side} is the bone ${BONES[bone]}; name it in the bone map.`,
    );
  return node;
}

/** Length of the unit of the translations of a node, meters. */
function unitAbove({ skeleton, metersPerUnit }: Humanoid, node: number): number {
  const parent = skeleton.parents[node];
  if (parent < 0) return metersPerUnit;
  const matrices = modelMatrices(skeleton.parents, skeleton.rest);
  const at = MATRIX_STRIDE * parent;
  const scale = Math.cbrt(vec3.length(matrices, at) * vec3.length(matrices, at + 4) * vec3.length(matrices, at + 8));
  return (scale > 0 ? scale : 1) * metersPerUnit;
}

/**
 * Plans how bones beyond those of the humanoid follow those of the source. A bone turns and moves relative to its parent as that of the source
 * does, seen from the T-pose: what lies in a hand stays in it. Translations are scaled like those of the hips. `pairs`: nodes of the target by
 * those of the source. Throws RangeError for a node that does not exist or is a bone, and for pairs that hang on different bones.
 */
export function planExtraBones(
  plan: RetargetPlan,
  source: Humanoid,
  target: Humanoid,
  pairs: Readonly<Record<string, string>>,
): ExtraBone[] {
  const [from, to] = [source, target].map((humanoid) => ({
    reference: computeNodeReference(humanoid).rotations,
    bones: mapNodesToBones(humanoid.map.nodes, humanoid.skeleton.parents.length),
    base: humanoid.basePose ?? humanoid.skeleton.rest,
  }));
  return Object.entries(pairs).map(([sourceName, targetName]) => {
    const sourceNode = nodeOf(source, sourceName, 'motion');
    const targetNode = nodeOf(target, targetName, 'character');
    const carriers = [
      boneAtOrAbove(source.skeleton.parents, from.bones, sourceNode),
      boneAtOrAbove(target.skeleton.parents, to.bones, targetNode),
    ];
    if (carriers[0] !== carriers[1]) {
      const [one, other] = carriers.map((bone) => BONES[bone] ?? 'no bone');
      throw new RangeError(
        `The node ${JSON.stringify(sourceName)} of the motion hangs on ${one}, ${JSON.stringify(targetName)} of the character on ${other}; expected the same bone, because they move relative to it.`,
      );
    }
    const worldOf = (side: typeof from, { skeleton, frame }: Humanoid, node: number): Float64Array => {
      const parent = skeleton.parents[node];
      return Float64Array.from(parent < 0 ? frame : side.reference.subarray(4 * parent, 4 * parent + 4));
    };
    const turn = quat.conjugated(worldOf(to, target, targetNode));
    quat.multiply(turn, 0, turn, 0, worldOf(from, source, sourceNode), 0);
    const [sourceRest, targetRest] = [POSE_STRIDE * sourceNode, POSE_STRIDE * targetNode];
    // q_t = T · (q_s · rest_s⁻¹) · T⁻¹ · rest_t
    const right = new Float64Array(4);
    const back = new Float64Array(4);
    quat.conjugate(right, 0, from.base, sourceRest + 3);
    quat.conjugate(back, 0, turn, 0);
    quat.multiply(right, 0, right, 0, back, 0);
    quat.multiply(right, 0, right, 0, to.base, targetRest + 3);
    const rotation = new Float64Array(16);
    sandwichMatrix(rotation, 0, turn, 0, right, 0, false);
    const scale = (plan.hipsScale * unitAbove(source, sourceNode)) / unitAbove(target, targetNode);
    const linear = new Float64Array(9);
    for (let axis = 0; axis < 3; axis++) {
      const unit = new Float64Array(3);
      unit[axis] = scale;
      vec3.rotate(linear, 3 * axis, turn, 0, unit, 0);
    }
    const offset = new Float64Array(3);
    const moved = new Float64Array(3);
    vec3.rotate(moved, 0, turn, 0, from.base, sourceRest);
    vec3.addScaled(offset, 0, to.base, targetRest, moved, 0, -scale);
    return { sourceNode, targetNode, rotation, linear, offset };
  });
}

/** Adds the tracks of extra bones to a retargeted clip. Keys, times and interpolation are those of the source. */
export function addExtraTracks(plan: RetargetPlan, extra: readonly ExtraBone[], motion: Clip, clip: Clip): Clip {
  if (extra.length === 0) return clip;
  const { tracks } = clipWithoutReflections(motion, plan.sourceSigns, plan.sourceRest);
  const made = extra.flatMap(({ sourceNode, targetNode, rotation, linear, offset }) =>
    tracks.flatMap((track): Track[] => {
      if (track.target !== sourceNode || track.path === 'scale') return [];
      const values = new Float64Array(track.values.length);
      if (track.path === 'rotation') mapRotationKeys(values, track, rotation, 0);
      else mapVectorKeys(values, track, linear, offset);
      return [{ ...track, target: targetNode, values }];
    }),
  );
  const straight = reflectClip({ ...clip, tracks: made }, plan.targetSigns).tracks;
  const replaced = new Set(straight.map(({ target, path }) => `${target} ${path}`));
  const kept = clip.tracks.filter(({ target, path }) => !replaced.has(`${target} ${path}`));
  return { ...clip, tracks: [...kept, ...straight] };
}
