import { mirrorPose, mirrorSkeleton } from '../skeleton/mirror-skeleton.ts';
import { BONE_MIRRORS } from './bones.ts';
import { type Humanoid, LIMBS, type Limb } from './humanoid.ts';

/** The entries of `width` values of the bones on the other side, some components turned round. */
function fromOtherSide(values: Float64Array, width: number, turnedRound: readonly number[]): Float64Array {
  const out = new Float64Array(values.length);
  for (let bone = 0; bone < BONE_MIRRORS.length; bone++) {
    const from = width * BONE_MIRRORS[bone];
    for (let c = 0; c < width; c++) {
      const value = values[from + c];
      out[width * bone + c] = turnedRound.includes(c) ? -value : value;
    }
  }
  return out;
}

function otherLimb(limb: Limb): Limb {
  const other = limb.startsWith('left') ? `right${limb.slice(4)}` : `left${limb.slice(5)}`;
  return other as Limb;
}

/** Degrees by limb, left and right exchanged. */
function deviationsOfOtherSide(degrees: Readonly<Partial<Record<Limb, number>>>): Partial<Record<Limb, number>> {
  const out: Partial<Record<Limb, number>> = {};
  for (const limb of LIMBS) {
    const value = degrees[otherLimb(limb)];
    if (value !== undefined) out[limb] = value;
  }
  return out;
}

/**
 * The body seen in a mirror: its file reflected by x → −x, its left bones the right ones. With the mirrored clip of its motion (see
 * mirrorClip), `retargetClip(planRetarget(mirrorHumanoid(source), target), mirrorClip(clip))` is the mirrored motion on any target:
 * `D_t(b) = M · D_s(mirror of b) · M` in canonical axes, M = diag(−1, 1, 1). Also the frame is reflected, so the canonical frame
 * of the mirrored body is the mirror image x → −x of the canonical frame. Twice is the body again. Names of nodes stay.
 */
export function mirrorHumanoid(humanoid: Humanoid): Humanoid {
  const { map, reference, frame, shape } = humanoid;
  return {
    ...humanoid,
    skeleton: mirrorSkeleton(humanoid.skeleton),
    map: {
      ...map,
      nodes: map.nodes.map((_, bone) => map.nodes[BONE_MIRRORS[bone]]),
      confidence: map.confidence.map((_, bone) => map.confidence[BONE_MIRRORS[bone]]),
    },
    reference: {
      ...reference,
      rotations: fromOtherSide(reference.rotations, 4, [1, 2]),
      positions: fromOtherSide(reference.positions, 3, [0]),
      deviationDegrees: deviationsOfOtherSide(reference.deviationDegrees),
      startDeviationDegrees: deviationsOfOtherSide(reference.startDeviationDegrees),
    },
    shape: shape === null ? null : mirrorPose(shape),
    frame: new Float64Array([frame[0], -frame[1], -frame[2], frame[3]]),
  };
}
