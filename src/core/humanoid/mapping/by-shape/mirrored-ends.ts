/** Completes limbs that end early on one side, such as an arm that ends in a weapon, by mirroring the joint of the other side. */
import * as mat4 from '../../../math/mat4.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import { modelMatrices } from '../../../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../../skeleton/skeleton.ts';
import { childRanges } from '../../../skeleton/topology.ts';
import { possibleBones } from '../possible-bones.ts';
import { distance, dot, midpoint, minus, plus, times, unit } from '../vectors.ts';

/** Maximum difference of corresponding lengths, as a fraction. */
const UNLIKE = 0.15;
/** Maximum number of children that are compared: a trunk has few limbs. */
const BRANCHES = 12;

interface MirroredEnd {
  readonly parent: number;
  /** Model space, rest pose. */
  readonly position: Vec3;
}

function createSearch(skeleton: Skeleton): { list: () => MirroredEnd[]; worlds: Float64Array } {
  const worlds = modelMatrices(skeleton.parents, skeleton.rest);
  const { parents, usable } = possibleBones(skeleton);
  const { starts, children } = childRanges(parents);
  const below = (node: number): number[] =>
    Array.from(children.subarray(starts[node], starts[node + 1])).filter((child) => usable[child] === 1);
  const at = (node: number): Vec3 => {
    const o = MATRIX_STRIDE * node + 12;
    return [worlds[o], worlds[o + 1], worlds[o + 2]];
  };
  const length = (node: number): number => distance(at(node), at(parents[node]));
  const areAlike = (a: number, b: number): boolean =>
    Math.abs(length(a) - length(b)) <= UNLIKE * Math.max(length(a), length(b));
  /** Returns the end that one of two limbs lacks: they are alike up to there, and start at `tops`. */
  const missingEnd = (tops: readonly [number, number], a: number, b: number): MirroredEnd | null => {
    const [ofA, ofB] = [below(a), below(b)];
    if (ofA.length > 0 && ofB.length > 0) {
      const pair = ofA.flatMap((c) => ofB.map((d) => [c, d] as const)).find(([c, d]) => areAlike(c, d));
      return pair === undefined ? null : missingEnd(tops, ...pair);
    }
    const isFirst = a === tops[0];
    if (isFirst || ofA.length === ofB.length) return null;
    const [longer, parent] = ofA.length > 0 ? [ofA, b] : [ofB, a];
    const end = longer.reduce((far, node) => (length(node) > length(far) ? node : far));
    const normal = unit(minus(at(tops[0]), at(tops[1])));
    const off = dot(minus(at(end), midpoint(at(tops[0]), at(tops[1]))), normal);
    return { parent, position: plus(at(end), times(normal, -2 * off)) };
  };
  const list = (): MirroredEnd[] =>
    Array.from(parents.keys()).flatMap((node) => {
      const branches = below(node).slice(0, BRANCHES);
      return branches.flatMap((a, k) =>
        branches.slice(k + 1).flatMap((b) => {
          const end = areAlike(a, b) ? missingEnd([a, b], a, b) : null;
          return end === null ? [] : [end];
        }),
      );
    });
  return { list, worlds };
}

/**
 * Adds the joints that one of two similar limbs lacks, mirrored from the other one. The new nodes come last. Returns the skeleton with more joints;
 * null where no limb lacks one.
 */
export function withMirroredEnds(skeleton: Skeleton): Skeleton | null {
  const { list, worlds } = createSearch(skeleton);
  const added = list();
  if (added.length === 0) return null;
  const { names, parents, rest, bind, joints } = skeleton;
  const count = parents.length;
  const longRest = new Float64Array(POSE_STRIDE * (count + added.length));
  longRest.set(rest);
  const longBind = bind === null ? null : new Float64Array(MATRIX_STRIDE * (count + added.length));
  longBind?.set(bind as Float64Array);
  const matrix = new Float64Array(MATRIX_STRIDE);
  const point = new Float64Array(3);
  for (const [k, { parent, position }] of added.entries()) {
    mat4.invertAffine(matrix, 0, worlds, MATRIX_STRIDE * parent);
    point.set(position);
    mat4.transformPoint(point, 0, matrix, 0, point, 0);
    const local = POSE_STRIDE * (count + k);
    longRest.set([...point, 0, 0, 0, 1, 1, 1, 1], local);
    if (longBind === null) continue;
    mat4.multiplyTransform(longBind, MATRIX_STRIDE * (count + k), longBind, MATRIX_STRIDE * parent, longRest, local);
  }
  return {
    ...skeleton,
    names: [...names, ...added.map(() => '')],
    parents: Int32Array.from([...parents, ...added.map(({ parent }) => parent)]),
    rest: longRest,
    bind: longBind,
    joints: Uint8Array.from([...joints, ...added.map(() => 1)]),
  };
}
