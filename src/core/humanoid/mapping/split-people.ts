/** Finds the people of a skeleton: files may have several below one group or in one skin. */
import * as vec3 from '../../math/vec3.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, REQUIRED_BONES } from '../bones.ts';
import { bindModelPose, restModelPose } from '../t-pose/model-pose.ts';
import { type AnatomyPart, HEAD_WORD } from './by-name/lexicon.ts';
import { createNamedRig, type NamedRig } from './by-name/named-rig.ts';
import { decodeName } from './by-name/node-names.ts';
import type { NameReading } from './by-name/read-names.ts';
import { matchNames } from './combine/map-by-names.ts';
import { hierarchyFaults } from './hierarchy-faults.ts';
import { isInSubtree } from './node-tree.ts';

const ARM: ReadonlySet<AnatomyPart | null> = new Set(['arm', 'upperArm', 'lowerArm', 'elbow', 'wrist', 'hand']);
const LEG: ReadonlySet<AnatomyPart | null> = new Set(['leg', 'upperLeg', 'lowerLeg', 'knee', 'ankle', 'foot']);
/** A head, two arms and two legs, one bit each. */
const WHOLE = 0b11111;

/**
 * Mean distance of the required bones of two people in rest and bind pose, relative to the distance from head to foot. Clothes with a copy of the
 * whole skeleton are at its bones; the built-in figures, all at the origin, are 0.09 (heavy and tall) to 0.46 from each other.
 */
const APART = 0.05;

/** Maximum number of people of one skeleton: more are not looked for. Crowds of real files have tens. */
const MOST_PEOPLE = 200;

const NONE = -1;
const SHARED = -2;

/**
 * Tells whether the names of at least two nodes, none below another, have a word for the head. Without, there are no two people; reading all words of
 * all names took a fifth of the time in which a GLB of one character is read.
 */
function hasTwoHeads({ names, parents }: Skeleton): boolean {
  const hasHead = new Uint8Array(names.length);
  let heads = 0;
  for (let node = names.length - 1; node >= 0; node--) {
    if (hasHead[node] === 0 && HEAD_WORD.test(decodeName(names[node]))) {
      hasHead[node] = 1;
      if (++heads === 2) return true;
    }
    if (hasHead[node] === 1 && parents[node] >= 0) hasHead[parents[node]] = 1;
  }
  return false;
}

function partOf({ part, side, helper, tip }: NameReading): number {
  if (helper || tip) return 0;
  if (part === 'head') return 1;
  const limb = ARM.has(part) ? 2 : LEG.has(part) ? 8 : 0;
  return side === '' ? 0 : side === 'left' ? limb : 2 * limb;
}

/** Lists the lowest nodes with a head, both arms and both legs below them. */
function wholeBodies({ skeleton: { parents, joints }, readings, quality }: NamedRig): number[] {
  const hasJoints = joints.includes(1);
  const parts = Uint8Array.from(readings, (reading, node) =>
    (hasJoints && joints[node] === 0) || quality[node] < 0 ? 0 : partOf(reading),
  );
  const isAbove = new Uint8Array(parents.length);
  const found: number[] = [];
  for (let node = parents.length - 1; node >= 0; node--) {
    const parent = parents[node];
    if (parts[node] === WHOLE && isAbove[node] === 0) found.unshift(node);
    if (parent < 0) continue;
    parts[parent] |= parts[node];
    if (parts[node] === WHOLE) isAbove[parent] = 1;
  }
  return found;
}

/** Nodes of the required bones below a node; null where one is missing or misplaced. */
function requiredBones({ skeleton, tree }: NamedRig, top: number): Int32Array | null {
  const { names, parents, joints } = skeleton;
  const own = Int32Array.from(parents.keys()).filter((node) => isInSubtree(tree, node, top));
  const indexOf = new Map(Array.from(own, (node, index) => [node, index]));
  const part: Skeleton = {
    ...skeleton,
    names: Array.from(own, (node) => names[node]),
    parents: own.map((node) => indexOf.get(parents[node]) ?? -1),
    joints: Uint8Array.from(own, (node) => joints[node]),
  };
  const { nodes } = matchNames(part).mapping.map;
  const faults = hierarchyFaults(part.parents, nodes);
  const bones = REQUIRED_BONES.map((bone) => BONE[bone]);
  if (bones.some((bone) => nodes[bone] < 0 || faults[bone] === 1)) return null;
  return Int32Array.from(bones, (bone) => own[nodes[bone]]);
}

function areApart(positions: Float64Array, a: Int32Array, b: Int32Array): boolean {
  const between = (one: number, other: number): number => vec3.distance(positions, 3 * one, positions, 3 * other);
  const [head, foot] = (['head', 'leftFoot'] as const).map((bone) => REQUIRED_BONES.indexOf(bone));
  const height = Math.max(between(a[head], a[foot]), between(b[head], b[foot]));
  const distance = a.reduce((sum, node, k) => sum + between(node, b[k]), 0) / a.length;
  return distance > APART * height;
}

/** Groups the bodies that coincide: a person and clothes with copies of the bones. */
function groupBodies(skeleton: Skeleton, bodies: readonly Int32Array[]): number[] {
  const poses = [restModelPose(skeleton), bindModelPose(skeleton)].flatMap((pose) => pose?.positions ?? []);
  const firsts: Int32Array[] = [];
  return bodies.map((bones) => {
    const known = firsts.findIndex((first) => !poses.every((positions) => areApart(positions, first, bones)));
    return known >= 0 ? known : firsts.push(bones) - 1;
  });
}

/**
 * Splits a skeleton into its people: bodies with all required bones by name, in separate subtrees, apart in rest and bind pose. What else is below
 * their common nodes (clothes, props, controls) goes to the nearest person; the common nodes belong to all. `isAlive` tells whether a body with these
 * bones has a skin or a motion; others stay with the nearest person. All have by default. Returns the nodes of each person
 * and all above them, ascending, with the highest one that is only its own; none where there are not at least two.
 */
export function splitPeople(
  skeleton: Skeleton,
  isAlive: (bones: Int32Array) => boolean = () => true,
): readonly { readonly nodes: Int32Array; readonly top: number }[] {
  if (!hasTwoHeads(skeleton)) return [];
  const rig = createNamedRig(skeleton);
  const tops = wholeBodies(rig);
  if (tops.length < 2 || tops.length > MOST_PEOPLE) return [];
  const bodies = tops.flatMap((top) => {
    const bones = requiredBones(rig, top);
    return bones === null || !isAlive(bones) ? [] : [{ top, bones }];
  });
  const groups = groupBodies(
    skeleton,
    bodies.map(({ bones }) => bones),
  );
  const people = Math.max(0, ...groups.map((group) => group + 1));
  if (people < 2) return [];

  const { parents } = skeleton;
  const owners = new Int32Array(parents.length).fill(NONE);
  for (const [k, { top }] of bodies.entries()) {
    for (let node = top; node >= 0; node = parents[node]) {
      owners[node] = owners[node] === NONE || owners[node] === groups[k] ? groups[k] : SHARED;
    }
  }
  // Each person gets the common nodes, so a small malicious file could multiply them.
  if (people * owners.filter((owner) => owner === SHARED).length > parents.length) return [];
  const inOrder = new Int32Array(parents.length);
  for (const [node, start] of rig.tree.starts.entries()) inOrder[start] = node;
  const { positions } = restModelPose(skeleton);
  const distanceTo = (node: number, bones: Int32Array): number =>
    Math.min(...Array.from(bones, (bone) => vec3.distance(positions, 3 * node, positions, 3 * bone)));
  /** The person whose bones are nearest to the nodes of a subtree. */
  const nearest = (top: number): number => {
    const distances = new Float64Array(people).fill(Number.POSITIVE_INFINITY);
    const nodes = inOrder.subarray(rig.tree.starts[top], rig.tree.ends[top]);
    for (const [k, { bones }] of bodies.entries()) {
      const sum = nodes.reduce((total, node) => total + distanceTo(node, bones), 0);
      distances[groups[k]] = Math.min(distances[groups[k]], sum);
    }
    return distances.indexOf(Math.min(...distances));
  };
  for (const [node, parent] of parents.entries()) {
    if (owners[node] !== NONE) continue;
    owners[node] = parent >= 0 && owners[parent] !== SHARED ? owners[parent] : nearest(node);
  }
  return Array.from({ length: people }, (_, person) => {
    const isOwn = owners.map((owner) => Number(owner === person));
    for (let node = parents.length - 1; node >= 0; node--) {
      if (isOwn[node] === 1 && parents[node] >= 0) isOwn[parents[node]] = 1;
    }
    const { top } = bodies[groups.indexOf(person)];
    let highest = top;
    while (parents[highest] >= 0 && owners[parents[highest]] === person) highest = parents[highest];
    return { nodes: Int32Array.from(parents.keys()).filter((node) => isOwn[node] === 1), top: highest };
  });
}
