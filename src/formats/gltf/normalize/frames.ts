/** The planned coordinate frames of all nodes when bones get new axes, a skeleton a new pose, a model a new space. */
import type { BoneName } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { isIdentityRotation } from '../../../core/normalize/canonical-rotations.ts';
import type { FrameChange } from '../../../core/normalize/frame-change.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { NodeForest } from '../read/read-nodes.ts';

/** Bits of the transform components that a new rest pose changes. */
export const MOVED = { translation: 1, rotation: 2, scale: 4 } as const;

/** A bone whose old node keeps its axes and becomes the child of a new node, which is the bone from then on. */
export interface WrappedBone {
  /** Name of the bone, also of the new node. */
  readonly bone: BoneName;
  readonly node: number;
  /** Reason for messages; continues "Nodes that …". */
  readonly reason: string;
}

export interface Frames {
  readonly forest: NodeForest;
  /** Local rest pose in the file, 10 floats per node. */
  readonly oldRest: Float64Array;
  /** Local rest pose of the request in the old axes and space, 10 floats per node. */
  readonly rest: Float64Array;
  /** {@link MOVED} bits: what differs between `oldRest` and `rest`. */
  readonly moved: Uint8Array;
  /** Change of the local transform. For a wrapped bone it applies to the new node; the old one keeps only its scale. */
  readonly changes: readonly FrameChange[];
  readonly wraps: ReadonlyMap<number, WrappedBone>;
  /** Model matrix at rest in the new file with the old axes, 16 floats per node. */
  readonly restMatrices: Float64Array;
}

/** Computes the model matrix of a node at rest in the new file, with its new axes. For a wrapped bone it is that of the old node. */
export function newMatrix(
  out: Float64Array,
  o: number,
  { restMatrices, changes, wraps }: Frames,
  forestNode: number,
): void {
  mat4.copy(out, o, restMatrices, MATRIX_STRIDE * forestNode);
  if (!wraps.has(forestNode)) rotateAxes(out, o, changes[forestNode].axes);
}

/** Rotates the axes of a matrix: `M · G`. `out`: 16 floats, changed in place. */
export function rotateAxes(out: Float64Array, o: number, axes: ArrayLike<number>): void {
  if (isIdentityRotation(axes, 0)) return;
  const rotation = new Float64Array(MATRIX_STRIDE);
  mat4.compose(rotation, 0, [0, 0, 0, axes[0], axes[1], axes[2], axes[3], 1, 1, 1], 0);
  mat4.multiply(out, o, out, o, rotation, 0);
}

/** Computes the model matrix of the new node of a wrapped bone: that of the old node without its scale, with the new axes. */
export function wrapperMatrix(
  out: Float64Array,
  { forest, restMatrices, rest, changes }: Frames,
  forestNode: number,
): void {
  const unscale = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
  const at = POSE_STRIDE * forestNode;
  const scale = rest.subarray(at + PATH_OFFSET.scale, at + POSE_STRIDE);
  if (scale.every((value) => value !== 0)) {
    for (let c = 0; c < 3; c++) unscale[PATH_OFFSET.scale + c] = 1 / scale[c];
    mat4.compose(out, 0, unscale, 0);
    mat4.multiply(out, 0, restMatrices, MATRIX_STRIDE * forestNode, out, 0);
  } else {
    const local = rest.slice(at, at + POSE_STRIDE);
    local.fill(1, PATH_OFFSET.scale);
    mat4.compose(out, 0, local, 0);
    const parent = forest.parents[forestNode];
    if (parent >= 0) mat4.multiply(out, 0, restMatrices, MATRIX_STRIDE * parent, out, 0);
  }
  rotateAxes(out, 0, changes[forestNode].axes);
}

export function touches({ rotation, scale, translation, axes }: FrameChange, path: keyof typeof MOVED): boolean {
  if (path === 'scale') return scale !== 1;
  if (path === 'rotation') return !isIdentityRotation(rotation, 0) || !isIdentityRotation(axes, 0);
  return scale !== 1 || vec3.length(translation, 0) !== 0 || !isIdentityRotation(rotation, 0);
}
