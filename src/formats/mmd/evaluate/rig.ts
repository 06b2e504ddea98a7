/** The bones of a model, prepared for evaluation, and their state at a frame. */
import { inverseOrder, sortParentsFirst } from '../../../core/skeleton/topology.ts';
import type { Append, MmdBone, MmdIk } from '../model/mmd-model.ts';

export interface RigIk extends MmdIk {
  /** Bones from the topmost link down to the effector. */
  readonly chain: Int32Array;
  /** Index of every link in the chain; −1 for a link that is not above the effector. */
  readonly chainIndices: Int32Array;
  /** The links and all bones below them, parents first. */
  readonly moved: Int32Array;
}

/** Bones for evaluation. Indices are those of the model. */
export interface Rig {
  readonly parents: Int32Array;
  /** Position relative to the parent at rest, xyz per bone. */
  readonly rest: Float64Array;
  /** Position in model space at rest, xyz per bone. */
  readonly restWorld: Float64Array;
  /** All bones, parents first. */
  readonly order: Int32Array;
  /** Whether a bone is evaluated before one that it needs, which is then where its keys put it. */
  readonly looksAhead: boolean;
  /** All bones in the order of their evaluation: before physics, then after it; by layer; by index. */
  readonly steps: Int32Array;
  readonly appends: readonly (Append | null)[];
  /** The only axis of rotation of a bone. */
  readonly axes: readonly (readonly number[] | null)[];
  readonly iks: readonly (RigIk | null)[];
  /** Elementary operations that a frame takes at most, to refuse motions that take too long. */
  readonly work: number;
}

export interface RigState {
  /** Offset from the rest position, and rotation, of the keys. */
  readonly keyOffsets: Float64Array;
  readonly keyRotations: Float64Array;
  /** The same with what is appended. */
  readonly offsets: Float64Array;
  readonly rotations: Float64Array;
  /** What is appended to bones that follow another one. */
  readonly appendOffsets: Float64Array;
  readonly appendRotations: Float64Array;
  /** Rotation by IK, which comes after `rotations`. */
  readonly ikRotations: Float64Array;
  /** Local rotation: IK · rotation. */
  readonly locals: Float64Array;
  /** Positions and rotations in model space. */
  readonly worldPositions: Float64Array;
  readonly worldRotations: Float64Array;
}

function rigIk(ik: MmdIk, parents: Int32Array, order: Int32Array): RigIk {
  const links = new Set(ik.links.map(({ bone }) => bone));
  const above: number[] = [];
  for (let bone = ik.effector; bone >= 0; bone = parents[bone]) above.push(bone);
  let top = 0;
  for (const [k, bone] of above.entries()) if (links.has(bone)) top = k;
  const chain = Int32Array.from(above.slice(0, top + 1).reverse());
  const isMoved = new Uint8Array(parents.length);
  const moved: number[] = [];
  for (const bone of order) {
    if (!links.has(bone) && !(parents[bone] >= 0 && isMoved[parents[bone]] === 1)) continue;
    isMoved[bone] = 1;
    moved.push(bone);
  }
  return {
    ...ik,
    chain,
    chainIndices: Int32Array.from(ik.links, ({ bone }) => chain.indexOf(bone)),
    moved: Int32Array.from(moved),
  };
}

export function createRig(bones: readonly MmdBone[]): Rig {
  const parents = Int32Array.from(bones, ({ parent }) => parent);
  const { order } = sortParentsFirst(parents);
  const restWorld = new Float64Array(3 * bones.length);
  for (const [bone, { position }] of bones.entries()) restWorld.set(position, 3 * bone);
  const rest = restWorld.slice();
  for (const [bone, { parent }] of bones.entries()) {
    if (parent >= 0) for (let c = 0; c < 3; c++) rest[3 * bone + c] -= restWorld[3 * parent + c];
  }
  const steps = Int32Array.from(bones.keys()).sort((a, b) => {
    const late = Number(bones[a].isAfterPhysics) - Number(bones[b].isAfterPhysics);
    return late || bones[a].layer - bones[b].layer || a - b;
  });
  const iks = bones.map(({ ik }) => (ik === null ? null : rigIk(ik, parents, order)));
  const work = iks.reduce(
    (sum, ik) => sum + (ik === null ? 0 : ik.loops * ik.links.length * (4 + ik.chain.length) + ik.moved.length),
    2 * bones.length,
  );
  const appends = bones.map(({ append }) => append);
  const stepOf = inverseOrder(steps);
  const isBefore = (other: number, bone: number): boolean => other < 0 || stepOf[other] < stepOf[bone];
  const looksAhead = bones.some(({ parent, append }, bone) => {
    const ik = iks[bone];
    return (
      !isBefore(parent, bone) ||
      !isBefore(append?.source ?? -1, bone) ||
      ik?.chain.some((other) => !isBefore(other, bone)) === true
    );
  });
  return {
    parents,
    rest,
    restWorld,
    order,
    looksAhead,
    steps,
    appends,
    axes: bones.map(({ axis }) => axis),
    iks,
    work,
  };
}

export function createRigState({ parents: { length } }: Rig): RigState {
  const identities = (): Float64Array => Float64Array.from({ length: 4 * length }, (_, at) => (at % 4 === 3 ? 1 : 0));
  return {
    keyOffsets: new Float64Array(3 * length),
    keyRotations: identities(),
    offsets: new Float64Array(3 * length),
    rotations: identities(),
    appendOffsets: new Float64Array(3 * length),
    appendRotations: identities(),
    ikRotations: identities(),
    locals: identities(),
    worldPositions: new Float64Array(3 * length),
    worldRotations: identities(),
  };
}
