/** Decides between the declared pose of a humanoid and the straightened one. The pair decides, so planRetarget asks here. */
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { BONE_COUNT } from './bones.ts';
import type { DeclaredHumanoid, Humanoid } from './humanoid.ts';
import { areHipsAtPelvis } from './pelvis.ts';

/**
 * Returns a humanoid whose reference pose is the one that its format declares, unchanged; the same object where its reference pose was not
 * straightened.
 */
export function withDeclaredPose(humanoid: Humanoid): Humanoid {
  const { declaredPose, ...others } = humanoid;
  if (declaredPose === undefined) return humanoid;
  const { reference, ground, hipsHeight, height } = declaredPose;
  return { ...others, reference, ground, hipsHeight, height };
}

/**
 * Straightens the declared pose of a humanoid like that of another rig of the same character, which has more joints to measure: finger tips, for
 * example. `humanoid`: a humanoid whose reference pose is the declared one; it is not changed.
 */
export function straightenLike(humanoid: Humanoid, other: Humanoid, format: DeclaredHumanoid['format']): Humanoid {
  const from = other.declaredPose;
  if (from === undefined) return humanoid;
  const { reference, ground, hipsHeight, height } = humanoid;
  const rotations = reference.rotations.slice();
  const positions = reference.positions.slice();
  const change = new Float64Array(4);
  const offset = new Float64Array(3);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (humanoid.map.nodes[bone] < 0 || other.map.nodes[bone] < 0) continue;
    quat.conjugate(change, 0, from.reference.rotations, 4 * bone);
    quat.multiply(change, 0, other.reference.rotations, 4 * bone, change, 0);
    quat.multiply(rotations, 4 * bone, change, 0, rotations, 4 * bone);
    quat.normalize(rotations, 4 * bone, rotations, 4 * bone);
    vec3.subtract(offset, 0, other.reference.positions, 3 * bone, from.reference.positions, 3 * bone);
    vec3.add(positions, 3 * bone, positions, 3 * bone, offset, 0);
  }
  return {
    ...humanoid,
    reference: { ...other.reference, rotations, positions },
    declaredPose: { format, reference, ground, hipsHeight, height },
    ground: ground + (other.ground - from.ground),
    hipsHeight: hipsHeight + (other.hipsHeight - from.hipsHeight),
    height: height + (other.height - from.height),
  };
}

/** The format that declares the pose of a humanoid; null where the pose has another origin. */
function formatOf({ declaredPose, reference }: Humanoid): string | null {
  return declaredPose?.format ?? (reference.kind === 'declared' ? reference.from : null);
}

/** A source and a target, each with the reference pose of the pair. */
export interface ReferencePair {
  readonly source: Humanoid;
  readonly target: Humanoid;
  /** Whether the path of the pelvis (the middle of both hip joints) or that of the hips joint is transferred. */
  readonly hips: 'pelvis' | 'joint';
}

/**
 * Selects the reference poses of a source and a target. Between a VRM Animation and a VRM, or two VRM Animations, both are used as declared:
 * VRMC_vrm_animation defines that their rotations are equal, whatever the poses look like, and that the path of the hips joint is scaled by the
 * heights of these joints. Every other pair is measured from the straightened poses and by the pelvis; so is the path of such a pair if the hips
 * joint of the target is far from its pelvis.
 */
export function selectReferencePoses(source: Humanoid, target: Humanoid): ReferencePair {
  const formats = [formatOf(source), formatOf(target)];
  const isAnimation = formats.includes('vrma') && formats.every((format) => format !== null && /^vrm/.test(format));
  if (!isAnimation) return { source, target, hips: 'pelvis' };
  const declared = { source: withDeclaredPose(source), target: withDeclaredPose(target) };
  return { ...declared, hips: areHipsAtPelvis(declared.target) ? 'joint' : 'pelvis' };
}
