/** What `anyrig define` asks of a document: the axes of the bones, their pose, and the spaces in which a model stands as the extension asks. */
import { canonicalTurns } from '../core/conform/canonical-turns.ts';
import { conformingPose } from '../core/conform/conforming-pose.ts';
import { standInPose } from '../core/conform/stand-in-pose.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import type { TurnedPose } from '../core/humanoid/reference/reference-pose.ts';
import * as mat4 from '../core/math/mat4.ts';
import * as quat from '../core/math/quat.ts';
import { localToModelMatrices } from '../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../core/skeleton/skeleton.ts';
import type { ConformRequest } from '../formats/gltf/conform/conform-document.ts';
import type { Body } from './choose-body.ts';
import type { OpenFile } from './open.ts';

/** How much of the extension's text a character is made to obey. */
export interface Conformity {
  /** Give the bones the canonical axes of the extension: nothing looks different. */
  readonly axes?: boolean;
  /** Make the T-pose of the extension the bind and rest pose: meshes are re-baked. */
  readonly tPose?: boolean;
  /** With `tPose`: straighten spine and neck too. */
  readonly strict?: boolean;
}

/** A frame that is turned by more than this, radians, is not how a body stands but where the file has its front. */
const TURNED = (10 * Math.PI) / 180;

function similarity(rotation: ArrayLike<number>, scale: number, translation: readonly number[]): Float64Array {
  const matrix = new Float64Array(MATRIX_STRIDE);
  mat4.compose(matrix, 0, [...translation, ...Array.from(rotation), scale, scale, scale], 0);
  return matrix;
}

function conjugated(rotation: ArrayLike<number>): Float64Array {
  const inverse = new Float64Array(4);
  quat.conjugate(inverse, 0, rotation, 0);
  return inverse;
}

const NO_TURN = Float64Array.of(0, 0, 0, 1);

/** The spaces of a model that is to stand as the extension asks. */
interface Spaces {
  /** X, of the file's space; null where it stays. */
  readonly space: Float64Array | null;
  /** Y, of the root node; null where it is the space of the scene. */
  readonly rootSpace: Float64Array | null;
  /** Canonical frame (ground of the body where it is) to the file's space: X⁻¹ · Y · (down to the ground). */
  readonly fromCanonical: Float64Array;
}

/**
 * A VRM 0.x has to face −Z: its scene stays as it is, and the root node is turned, in whose space it faces +Z. Everything else is turned, scaled and put on the
 * ground as a whole.
 */
function spacesOf({ frame, metersPerUnit, ground }: Humanoid, isVrm0: boolean): Spaces {
  const isTurned = quat.angleBetween(frame, 0, NO_TURN, 0) > TURNED;
  const down = similarity(NO_TURN, 1, [0, -ground, 0]);
  if (isVrm0) {
    const rootSpace = isTurned ? similarity(conjugated(frame), 1, [0, 0, 0]) : null;
    const fromCanonical = new Float64Array(MATRIX_STRIDE);
    mat4.multiply(fromCanonical, 0, rootSpace ?? similarity(NO_TURN, 1, [0, 0, 0]), 0, down, 0);
    return { space: null, rootSpace, fromCanonical };
  }
  if (!isTurned && metersPerUnit === 1 && ground === 0) return { space: null, rootSpace: null, fromCanonical: down };
  const space = similarity(isTurned ? frame : NO_TURN, metersPerUnit, [0, -ground, 0]);
  const fromCanonical = new Float64Array(MATRIX_STRIDE);
  mat4.invertAffine(fromCanonical, 0, space, 0);
  mat4.multiply(fromCanonical, 0, fromCanonical, 0, down, 0);
  return { space, rootSpace: null, fromCanonical };
}

/** Nodes of the file that are in several skeletons. */
function sharedNodes({ asset }: OpenFile, index: number): Set<number> {
  const own = new Set(asset.skeletons[index].sourceNodes);
  const shared = new Set<number>();
  asset.skeletons.forEach(({ sourceNodes }, k) => {
    if (k !== index) for (const node of sourceNodes) if (own.has(node)) shared.add(node);
  });
  return shared;
}

function bindMatrices({ skeleton }: Humanoid): Float64Array {
  if (skeleton.bind !== null) return Float64Array.from(skeleton.bind);
  const matrices = new Float64Array(MATRIX_STRIDE * skeleton.parents.length);
  localToModelMatrices(matrices, skeleton.parents, skeleton.rest);
  return matrices;
}

/** What is to be done with the document of a file so that one of its bodies is defined. */
export function requestOf(file: OpenFile, { humanoid, part, index }: Body, options: Conformity): ConformRequest {
  const { map, reference, frame } = humanoid;
  const { axes = false, tPose = false, strict = false } = options;
  const pose: TurnedPose = tPose ? conformingPose(humanoid, { strict }) : reference;
  const spaces = tPose ? spacesOf(humanoid, file.asset.format === 'vrm0') : null;
  return {
    bones: map.nodes.map((node) => (node < 0 ? -1 : part.sourceNodes[node])),
    sourceNodes: part.sourceNodes,
    bind: bindMatrices(humanoid),
    shared: sharedNodes(file, index),
    turns: axes ? canonicalTurns(pose.rotations, map.nodes) : null,
    pose: spaces === null ? null : standInPose(humanoid, pose, spaces.fromCanonical),
    space: spaces?.space ?? null,
    rootSpace: spaces?.rootSpace ?? null,
    modelSpace: similarity(tPose ? NO_TURN : conjugated(frame), 1, [0, 0, 0]),
    isWhole: tPose,
  };
}
