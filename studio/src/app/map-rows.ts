/** The rows of the bone map: what is certain, what to look at, what is missing. */

import { BONES, type BoneAssignments, type BoneName, REQUIRED_BONES } from 'anyrig';
import { helperNames } from '../../../src/core/retarget/helper-names.ts';
import type { BoneReport } from '../../../src/files/reports/humanoid-report.ts';
import type { MapData } from '../engine/protocol.ts';

/** Confidence from which on a bone needs no look. */
const CERTAIN = 0.75;

/** State of a row; `optional` is a bone without a node that a humanoid does not need. */
export type RowState = 'auto' | 'review' | 'unmapped' | 'optional' | 'given';

const REQUIRED: ReadonlySet<BoneName> = new Set(REQUIRED_BONES);

/** A row of the map. */
export interface MapRow {
  /** The bone. */
  readonly bone: BoneName;
  /** Node of the file; null without. */
  readonly node: number | null;
  /** State. */
  readonly state: RowState;
  /** What detection found; null where it found nothing. */
  readonly detected: BoneReport | null;
}

/** Finds the node that an assignment names. */
function resolve(nodes: MapData['nodes'], wanted: string | number): number | null {
  const found = nodes.find(({ node, name }) => (typeof wanted === 'number' ? node === wanted : name === wanted));
  return found?.node ?? null;
}

/**
 * Lists the rows of a map.
 *
 * @param given The user's map; null without.
 */
export function mapRows({ bones, nodes }: MapData, given: BoneAssignments | null): MapRow[] {
  return BONES.map((bone): MapRow => {
    const missing = REQUIRED.has(bone) ? 'unmapped' : 'optional';
    const detected = bones[bone] ?? null;
    if (given !== null) {
      const wanted = given[bone];
      const node = wanted === undefined || wanted === null ? null : resolve(nodes, wanted);
      const isDetected = node !== null && node === detected?.node;
      if (!isDetected) return { bone, node, state: node === null ? missing : 'given', detected };
    }
    if (detected === null) return { bone, node: null, state: missing, detected };
    return { bone, node: detected.node, state: detected.confidence >= CERTAIN ? 'auto' : 'review', detected };
  });
}

/**
 * Changes the node of a bone.
 *
 * @param node Its node; null removes it. A node has one bone at most, so another bone with it loses it.
 */
export function withBone(rows: readonly MapRow[], bone: BoneName, node: number | null): BoneAssignments {
  const entries = rows.flatMap((row) => {
    if (row.bone === bone) return node === null ? [] : [[bone, node] as const];
    return row.node === null || row.node === node ? [] : [[row.bone, row.node] as const];
  });
  return Object.fromEntries(entries) as BoneAssignments;
}

/** The bones of a limb by the bone at its end, from the end on. The last of arms and of the neck may be missing. */
const LIMBS: Readonly<Partial<Record<BoneName, readonly BoneName[]>>> = {
  head: ['neck'],
  leftHand: ['leftLowerArm', 'leftUpperArm', 'leftShoulder'],
  rightHand: ['rightLowerArm', 'rightUpperArm', 'rightShoulder'],
  leftFoot: ['leftLowerLeg', 'leftUpperLeg'],
  rightFoot: ['rightLowerLeg', 'rightUpperLeg'],
};

/** Lists the joints of a limb from its end to the trunk, from which other limbs leave. */
function limbAbove(nodes: MapData['nodes'], end: number): number[] {
  /** Joints in the longest chain that begins at a joint. */
  const lengths = new Int32Array(nodes.length).fill(1);
  for (let k = nodes.length - 1; k >= 0; k--) {
    const { parent } = nodes[k];
    if (parent >= 0) lengths[parent] = Math.max(lengths[parent], lengths[k] + 1);
  }
  const found: number[] = [];
  let below = nodes.findIndex(({ node }) => node === end);
  for (let k = nodes[below]?.parent ?? -1; k >= 0; k = nodes[k].parent) {
    const isTrunk = nodes.some(({ parent }, child) => parent === k && child !== below && lengths[child] > 2);
    if (isTrunk) break;
    found.push(nodes[k].node);
    below = k;
  }
  return found;
}

/**
 * Changes the node of a bone. A bone at the end of a limb gives the bones above it, as far as they have none, the joints above its own: those between the
 * joints of the bones that have some.
 *
 * @param node Its node; null removes it.
 */
export function withLimb(
  rows: readonly MapRow[],
  nodes: MapData['nodes'],
  bone: BoneName,
  node: number | null,
): BoneAssignments {
  const map = withBone(rows, bone, node);
  const limb = LIMBS[bone] ?? [];
  if (node === null || limb.length === 0) return map;
  const chain = limbAbove(nodes, node);
  const { isTwist } = helperNames({ names: nodes.map(({ name }) => name) });
  const twists = new Set(nodes.flatMap((one, k) => (isTwist(k) ? [one.node] : [])));
  const filled = new Map(Object.entries(map));
  const taken = new Set(filled.values());
  /** Place in the chain from which on joints are free. */
  let next = 0;
  for (const [k, one] of limb.entries()) {
    const own = filled.get(one);
    if (own === undefined) {
      const above = limb.slice(k).find((other) => filled.has(other));
      // A bone above whose joint is elsewhere leaves nothing to choose from.
      const end = above === undefined ? chain.length : Math.max(0, chain.indexOf(filled.get(above) as number));
      const joint = chain.slice(next, end).find((free) => !taken.has(free) && !twists.has(free));
      if (joint === undefined) continue;
      filled.set(one, joint);
      next = chain.indexOf(joint) + 1;
    } else {
      const place = chain.indexOf(own as number);
      if (place < 0) break;
      next = Math.max(next, place + 1);
    }
  }
  return Object.fromEntries(filled) as BoneAssignments;
}

/** The bones in the order in which they are asked for: ends of limbs first, since they bring the others. */
const ASKED: readonly BoneName[] = ['hips', ...(Object.keys(LIMBS) as BoneName[])];

/** Returns the row to look at after the picked bone; null where nothing is wrong. */
export function nextProblem(rows: readonly MapRow[], picked: BoneName | null): MapRow | null {
  const order = [...ASKED, ...BONES.filter((bone) => !ASKED.includes(bone))];
  const problems = order.flatMap((bone) =>
    rows.filter((row) => row.bone === bone && (row.state === 'review' || row.state === 'unmapped')),
  );
  const at = picked === null ? -1 : order.indexOf(picked);
  return problems.find(({ bone }) => order.indexOf(bone) > at) ?? problems[0] ?? null;
}

/** Returns the bone on the other side; a bone in the middle for itself. */
function otherSide(bone: BoneName): BoneName {
  const other = bone.startsWith('left') ? `right${bone.slice(4)}` : bone.replace(/^right/, 'left');
  return other as BoneName;
}

/** Exchanges the nodes of left and right, for rigs whose names have the sides of the viewer. */
export function withSidesSwapped(rows: readonly MapRow[]): BoneAssignments {
  const entries = rows.flatMap(({ bone, node }) => (node === null ? [] : [[otherSide(bone), node] as const]));
  return Object.fromEntries(entries) as BoneAssignments;
}

/** Tests whether two maps assign the same nodes to the same bones. */
export function isSameMap(a: BoneAssignments, b: BoneAssignments): boolean {
  return BONES.every((bone) => a[bone] === b[bone]);
}
