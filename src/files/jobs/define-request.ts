/** Plans what `anyrig define` changes in a document: bone axes, pose and model space, as EXT_skeleton_humanoid requires them. */
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { BonePose } from '../../core/humanoid/t-pose/bone-pose.ts';
import * as mat4 from '../../core/math/mat4.ts';
import * as quat from '../../core/math/quat.ts';
import { canonicalRotations } from '../../core/normalize/canonical-rotations.ts';
import { computeExactTPose } from '../../core/normalize/exact-t-pose.ts';
import { solveLocalPose } from '../../core/normalize/solve-local-pose.ts';
import { modelMatrices } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { NormalizeRequest } from '../../formats/gltf/normalize/normalize-request.ts';
import type { FoundHumanoid } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';

/** Which rules of EXT_skeleton_humanoid a character is normalized to. */
export interface NormalizeOptions {
  /** Gives the bones the canonical axes of the extension. The character and its clips look the same. */
  readonly axes?: boolean;
  /** Makes the T-pose of the extension the bind and rest pose. Meshes are re-baked. */
  readonly tPose?: boolean;
  /** With `tPose`: straightens spine and neck too. */
  readonly strict?: boolean;
}

/** Above this angle, in radians, the frame is the facing of the file; below it, the frame is how the character stands. */
const FACING_ANGLE = (10 * Math.PI) / 180;

/** Composes a 4×4 matrix from a rotation (quaternion xyzw), a uniform scale and a translation. */
function similarity(rotation: ArrayLike<number>, scale: number, translation: readonly number[]): Float64Array {
  const matrix = new Float64Array(MATRIX_STRIDE);
  mat4.compose(matrix, 0, [...translation, ...Array.from(rotation), scale, scale, scale], 0);
  return matrix;
}

const IDENTITY_ROTATION = Float64Array.of(0, 0, 0, 1);

/** The spaces of a model that conforms to the extension. 4×4 matrices, column-major. */
interface Spaces {
  /** X: from the space of the file to the new one; null when it does not change. */
  readonly space: Float64Array | null;
  /** Y: transform of the root node; null when it is the space of the scene. */
  readonly rootSpace: Float64Array | null;
  /** From the canonical frame, on the ground of the character, to the space of the file: X⁻¹ · Y · (translation to the ground). */
  readonly fromCanonical: Float64Array;
}

/**
 * Computes the new spaces of a model. A VRM 0.x must face −Z, so its scene stays and its root node is rotated to face +Z locally. Other models are
 * rotated, scaled and put on the ground as a whole.
 */
function spacesOf({ frame, metersPerUnit, ground }: Humanoid, isVrm0: boolean): Spaces {
  const isRotated = quat.angleBetween(frame, 0, IDENTITY_ROTATION, 0) > FACING_ANGLE;
  const down = similarity(IDENTITY_ROTATION, 1, [0, -ground, 0]);
  if (isVrm0) {
    const rootSpace = isRotated ? similarity(quat.conjugated(frame), 1, [0, 0, 0]) : null;
    const fromCanonical = new Float64Array(MATRIX_STRIDE);
    mat4.multiply(fromCanonical, 0, rootSpace ?? similarity(IDENTITY_ROTATION, 1, [0, 0, 0]), 0, down, 0);
    return { space: null, rootSpace, fromCanonical };
  }
  if (!isRotated && metersPerUnit === 1 && ground === 0) return { space: null, rootSpace: null, fromCanonical: down };
  const space = similarity(isRotated ? frame : IDENTITY_ROTATION, metersPerUnit, [0, -ground, 0]);
  const fromCanonical = new Float64Array(MATRIX_STRIDE);
  mat4.invertAffine(fromCanonical, 0, space, 0);
  mat4.multiply(fromCanonical, 0, fromCanonical, 0, down, 0);
  return { space, rootSpace: null, fromCanonical };
}

/** Lists the nodes of a skeleton that belong to other skeletons too. */
function sharedNodes({ asset }: OpenFile, index: number): Set<number> {
  const own = new Set(asset.skeletons[index].sourceNodes);
  const shared = new Set<number>();
  asset.skeletons.forEach(({ sourceNodes }, k) => {
    if (k !== index) for (const node of sourceNodes) if (own.has(node)) shared.add(node);
  });
  return shared;
}

function bindMatrices({ skeleton }: Humanoid): Float64Array {
  return skeleton.bind === null ? modelMatrices(skeleton.parents, skeleton.rest) : Float64Array.from(skeleton.bind);
}

export function createNormalizeRequest(
  file: OpenFile,
  { humanoid, part, index }: FoundHumanoid,
  options: NormalizeOptions,
): NormalizeRequest {
  const { map, reference, frame } = humanoid;
  const { axes = false, tPose = false, strict = false } = options;
  const pose: BonePose = tPose ? computeExactTPose(humanoid, { strict }) : reference;
  const spaces = tPose ? spacesOf(humanoid, file.asset.format === 'vrm0') : null;
  return {
    bones: map.nodes.map((node) => (node < 0 ? -1 : part.sourceNodes[node])),
    sourceNodes: part.sourceNodes,
    bind: bindMatrices(humanoid),
    shared: sharedNodes(file, index),
    axesRotations: axes ? canonicalRotations(pose.rotations, map.nodes) : null,
    pose: spaces === null ? null : solveLocalPose(humanoid, pose, spaces.fromCanonical),
    space: spaces?.space ?? null,
    rootSpace: spaces?.rootSpace ?? null,
    modelSpace: similarity(tPose ? IDENTITY_ROTATION : quat.conjugated(frame), 1, [0, 0, 0]),
    requiresRoot: tPose,
  };
}
