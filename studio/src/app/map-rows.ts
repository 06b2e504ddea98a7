/** The rows of the bone map: what is certain, what to look at, what is missing. */
import { BONES, type BoneAssignments, type BoneName, REQUIRED_BONES } from 'anyrig';
import type { BoneReport } from '../../../src/files/reports/humanoid-report.ts';
import type { MapData } from '../engine/protocol.ts';

/** Confidence from which on a bone needs no look. */
const CERTAIN = 0.75;

/** State of a row; `optional` is a bone without a node that a humanoid does not need. */
export type RowState = 'auto' | 'review' | 'unmapped' | 'optional' | 'given';

const REQUIRED: ReadonlySet<BoneName> = new Set(REQUIRED_BONES);

export interface MapRow {
  readonly bone: BoneName;
  /** Node of the file; null without. */
  readonly node: number | null;
  readonly state: RowState;
  /** What detection found; null where it found nothing. */
  readonly detected: BoneReport | null;
}

function resolve(nodes: MapData['nodes'], wanted: string | number): number | null {
  const found = nodes.find(({ node, name }) => (typeof wanted === 'number' ? node === wanted : name === wanted));
  return found?.node ?? null;
}

/** Joints that were clicked, and those of other bones that followed from them. Both need no further look. */
interface Clicks {
  readonly clicked: BoneAssignments;
  readonly followed: BoneAssignments;
}

export const NO_CLICKS: Clicks = { clicked: {}, followed: {} };

/** Lists the rows of a map. `given`: the user's map; null without. */
export function mapRows(
  { bones, nodes }: MapData,
  given: BoneAssignments | null,
  clicks: Clicks = NO_CLICKS,
): MapRow[] {
  return BONES.map((bone): MapRow => {
    const missing = REQUIRED.has(bone) ? 'unmapped' : 'optional';
    const detected = bones[bone] ?? null;
    if (given !== null) {
      const wanted = given[bone];
      const node = wanted === undefined || wanted === null ? null : resolve(nodes, wanted);
      const isSettled = node !== null && (clicks.clicked[bone] === node || clicks.followed[bone] === node);
      const isDetected = node !== null && node === detected?.node;
      if (isSettled || !isDetected) return { bone, node, state: node === null ? missing : 'given', detected };
    }
    if (detected === null) return { bone, node: null, state: missing, detected };
    return { bone, node: detected.node, state: detected.confidence >= CERTAIN ? 'auto' : 'review', detected };
  });
}

/** Changes the node of a bone. `node`: its node; null removes it. A node has one bone at most, so another bone with it loses it. */
export function withBone(rows: readonly MapRow[], bone: BoneName, node: number | null): BoneAssignments {
  const entries = rows.flatMap((row) => {
    if (row.bone === bone) return node === null ? [] : [[bone, node] as const];
    return row.node === null || row.node === node ? [] : [[row.bone, row.node] as const];
  });
  return Object.fromEntries(entries) as BoneAssignments;
}

/**
 * Lists the bones that stay when a joint is clicked for a bone: what is certain and what was chosen. Bones to look at, and those that followed from
 * earlier clicks, follow again from all clicks together.
 */
export function bonesThatStay(
  rows: readonly MapRow[],
  { clicked, followed }: Clicks,
  bone: BoneName,
  node: number,
): BoneAssignments {
  const stay = rows.filter((row) => {
    if (row.node === null || row.node === node || row.bone === bone) return false;
    return clicked[row.bone] === row.node || (row.state !== 'review' && followed[row.bone] !== row.node);
  });
  return { ...Object.fromEntries(stay.map((row) => [row.bone, row.node])), [bone]: node } as BoneAssignments;
}

/** Returns the clicks after one more. `found`: all bones that follow from it, these included: a control may have been clicked where a hand is. */
export function withClick({ clicked }: Clicks, bone: BoneName, stay: BoneAssignments, found: BoneAssignments): Clicks {
  const isClicked = (one: string): boolean => {
    const stays = stay[one as BoneName];
    return one === bone || (stays !== undefined && clicked[one as BoneName] === stays);
  };
  const pick = (isWanted: (one: string, node: unknown) => boolean): BoneAssignments =>
    Object.fromEntries(Object.entries(found).filter(([one, node]) => isWanted(one, node))) as BoneAssignments;
  return {
    // The click itself stays where nothing follows from it.
    clicked: { [bone]: stay[bone], ...pick(isClicked) },
    followed: pick((one, node) => !isClicked(one) && stay[one as BoneName] !== node),
  };
}

/** Returns the map after clicks: bones that did not follow keep their joints as far as these are free. */
export function mapOfClicks(rows: readonly MapRow[], { clicked, followed }: Clicks): BoneAssignments {
  const taken = new Set([...Object.values(clicked), ...Object.values(followed)]);
  const others = rows.flatMap(({ bone, node }) => (node === null || taken.has(node) ? [] : [[bone, node] as const]));
  return { ...Object.fromEntries(others), ...followed, ...clicked } as BoneAssignments;
}

/** The bones in the order in which they are asked for: hips and ends of limbs first, since they bring the others. */
const ASKED: readonly BoneName[] = ['hips', 'head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot'];

/** Returns the row to look at after the picked bone; null where nothing is wrong. */
export function nextProblem(rows: readonly MapRow[], picked: BoneName | null): MapRow | null {
  const order = [...ASKED, ...BONES.filter((bone) => !ASKED.includes(bone))];
  const problems = order.flatMap((bone) =>
    rows.filter((row) => row.bone === bone && (row.state === 'review' || row.state === 'unmapped')),
  );
  const at = picked === null ? -1 : order.indexOf(picked);
  return problems.find(({ bone }) => order.indexOf(bone) > at) ?? problems[0] ?? null;
}

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
