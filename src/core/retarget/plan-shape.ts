/**
 * Deciding which parts of a character must be put into the shape that its reference pose was taken from.
 *
 * Some files rest in the middle of a movement: nodes between bones are twisted, limbs stretched. Directions and skin are
 * right only when these parts stand as they stood when the character was bound, so they get constant tracks.
 */
import { BONE, presentParent } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove, bonesOfNodes } from '../humanoid/node-bones.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { HeldValue } from './retarget-plan.ts';

const PARTS = [
  { path: 'translation', at: 0, width: 3 },
  { path: 'rotation', at: 3, width: 4 },
  { path: 'scale', at: 7, width: 3 },
] as const;

/** Nodes from below the parent bone down to a bone; only the bone when its parent bone is not above it. */
function limbNodes({ skeleton, map }: Humanoid, bone: number): number[] {
  const top = presentParent(bone, map.nodes);
  const nodes: number[] = [];
  let node = map.nodes[bone];
  while (node >= 0 && node !== map.nodes[top]) {
    nodes.push(node);
    node = skeleton.parents[node];
  }
  return node < 0 ? [map.nodes[bone]] : nodes;
}

/** Differences up to this (radians, or relative to the length) are noise: inverse bind matrices are float32, often in centimeters. */
const NOISE = 5e-5;

function differs(a: Floats, b: Floats, at: number, width: number): boolean {
  if (width === 4) return quat.angleBetween(a, at, b, at) > NOISE;
  return vec3.distance(a, at, b, at) > NOISE * vec3.length(b, at);
}

/** Joints of the skin that are no bones but hang below one. */
function carriedNodes({ skeleton, map }: Humanoid): number[] {
  const { parents } = skeleton;
  const boneOfNode = bonesOfNodes(map.nodes, parents.length);
  return skeleton.names.flatMap((_, node) =>
    skeleton.joints[node] === 1 && boneOfNode[node] < 0 && boneAtOrAbove(parents, boneOfNode, node) >= 0 ? [node] : [],
  );
}

/**
 * Values of the shape that differ from the rest: of the nodes between bones and of joints beside them all, of bones translation and scale (their
 * rotation is driven), of the hips the scale.
 */
export function planShape(target: Humanoid): HeldValue[] {
  const { map, skeleton, shape } = target;
  if (shape === null) return [];
  const boneNodes = new Set(map.nodes);
  const hips = map.nodes[BONE.hips];
  const limbs = Array.from(map.nodes, (node, bone) => (node < 0 || node === hips ? [] : limbNodes(target, bone)));
  const held: HeldValue[] = [];
  for (const node of new Set([hips, ...limbs.flat(), ...carriedNodes(target)])) {
    for (const { path, at, width } of PARTS) {
      const start = 10 * node + at;
      if (path === 'rotation' && boneNodes.has(node)) continue;
      if (path === 'translation' && node === hips) continue;
      if (!differs(shape, skeleton.rest, start, width)) continue;
      held.push({ targetNode: node, path, value: shape.slice(start, start + width) });
    }
  }
  return held;
}

/** The rest pose of a character with the held values in it, local. */
export function restWith(target: Humanoid, held: readonly HeldValue[]): Float64Array {
  const rest = Float64Array.from(target.skeleton.rest);
  for (const { targetNode, path, value } of held) {
    rest.set(value, 10 * targetNode + PARTS[path === 'translation' ? 0 : path === 'rotation' ? 1 : 2].at);
  }
  return rest;
}
