import type { Floats } from '../math/floats.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { BONE_MIRRORS } from './bones.ts';
import { type Humanoid, LIMBS, type Limb, type ReferencePose } from './humanoid.ts';

/** Floats of a node whose sign the mirror x → −x flips: x of the translation, y and z of the rotation. */
const POSE_SIGNS = [0, 4, 5];
/** Matrix elements whose sign M · B · M flips, with M = diag(−1, 1, 1): those in row x or column x, but not in both. */
const MATRIX_SIGNS = [1, 2, 4, 8, 12];

function withSigns(floats: Floats, stride: number, offsets: readonly number[]): Floats {
  const out = floats.slice();
  for (let i = 0; i < out.length; i += stride) for (const c of offsets) out[i + c] = -out[i + c];
  return out;
}

/** Mirrors a local pose across the plane x = 0 of every local space. `local`: 10 floats per node, local space; it is not changed. */
export function mirrorPose<T extends Floats>(local: T): T {
  return withSigns(local, POSE_STRIDE, POSE_SIGNS) as T;
}

/**
 * Mirrors the rest pose and the bind pose of a skeleton across the plane x = 0 of its file, without negative scales. Nodes keep their
 * names, so names that contain a side are wrong afterwards. Mirroring twice restores the skeleton exactly.
 */
export function mirrorSkeleton(skeleton: Skeleton): Skeleton {
  const { rest, bind } = skeleton;
  return {
    ...skeleton,
    rest: mirrorPose(rest),
    bind: bind === null ? null : withSigns(bind, MATRIX_STRIDE, MATRIX_SIGNS),
  };
}

/** Takes `width` values per bone from the mirror bone and negates some components. */
function fromOtherSide(values: Float64Array, width: number, negated: readonly number[]): Float64Array {
  const out = new Float64Array(values.length);
  for (let bone = 0; bone < BONE_MIRRORS.length; bone++) {
    const from = width * BONE_MIRRORS[bone];
    for (let c = 0; c < width; c++) {
      const value = values[from + c];
      out[width * bone + c] = negated.includes(c) ? -value : value;
    }
  }
  return out;
}

function otherLimb(limb: Limb): Limb {
  const other = limb.startsWith('left') ? `right${limb.slice(4)}` : `left${limb.slice(5)}`;
  return other as Limb;
}

function deviationsOfOtherSide(degrees: Readonly<Partial<Record<Limb, number>>>): Partial<Record<Limb, number>> {
  const out: Partial<Record<Limb, number>> = {};
  for (const limb of LIMBS) {
    const value = degrees[otherLimb(limb)];
    if (value !== undefined) out[limb] = value;
  }
  return out;
}

function mirrorReference(reference: ReferencePose): ReferencePose {
  return {
    ...reference,
    rotations: fromOtherSide(reference.rotations, 4, [1, 2]),
    positions: fromOtherSide(reference.positions, 3, [0]),
    deviationDegrees: deviationsOfOtherSide(reference.deviationDegrees),
    startDeviationDegrees: deviationsOfOtherSide(reference.startDeviationDegrees),
  };
}

/**
 * Mirrors a humanoid: reflects its file by x → −x and swaps left and right bones. Node names do not change. Mirroring
 * twice gives the original.
 *
 * With the mirrored clip (see mirrorClip), `retargetClip(planRetarget(mirrorHumanoid(source), target),
 * mirrorClip(clip))` is the mirrored motion on any target: `D_t(b) = M · D_s(mirror of b) · M` in canonical axes, M =
 * diag(−1, 1, 1). The frame is reflected as well, so the canonical frame of the result is the mirror image of the
 * canonical frame of the original.
 *
 * @param humanoid The humanoid to mirror; it is not changed.
 * @returns The mirrored humanoid.
 */
export function mirrorHumanoid(humanoid: Humanoid): Humanoid {
  const { map, reference, declaredPose, frame, basePose } = humanoid;
  return {
    ...humanoid,
    skeleton: mirrorSkeleton(humanoid.skeleton),
    map: {
      ...map,
      nodes: map.nodes.map((_, bone) => map.nodes[BONE_MIRRORS[bone]]),
      confidence: map.confidence.map((_, bone) => map.confidence[BONE_MIRRORS[bone]]),
    },
    reference: mirrorReference(reference),
    ...(declaredPose === undefined
      ? {}
      : { declaredPose: { ...declaredPose, reference: mirrorReference(declaredPose.reference) } }),
    basePose: basePose === null ? null : mirrorPose(basePose),
    frame: new Float64Array([frame[0], -frame[1], -frame[2], frame[3]]),
  };
}
