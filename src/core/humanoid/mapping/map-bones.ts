/** Which node is which bone: names and shape as evidence that does not depend on each other. */
import type { Clip } from '../../animation/clip.ts';
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, BONE_MIRRORS, BONES, type BoneName, REQUIRED_BONES } from '../bones.ts';
import type { BoneMap } from '../humanoid.ts';
import type { CandidateMap } from './candidate-map.ts';
import { hierarchyFaults } from './check-map.ts';
import { explainBones } from './explain-bones.ts';
import { fillFrom, mendFaults } from './fill-map.ts';
import { mappingOf, type NameReadings, readByNames } from './map-names.ts';
import { mapByShape, type ShapeMap } from './map-shape.ts';
import { isBelow } from './node-tree.ts';

/** A bone map and what is to be said about it. */
export interface BoneMapping {
  /**
   * `from` is the naming convention that fitted best, `words` where the words of the names tell more than any, `shape` where the
   * places of the joints do; `choices` say why, bone by bone.
   */
  readonly map: BoneMap;
  /** Required bones that were not found. */
  readonly missing: readonly BoneName[];
  readonly issues: readonly Issue[];
  /** What about its shape is not human, in plain words; null where it is. */
  readonly shapeless: string | null;
}

/** What else is known of a skeleton. */
export interface MapOptions {
  /** A motion that it plays: which joints bend in it, and a pose in which the body may be seen better. */
  readonly motion?: Clip | null;
  /**
   * Whether `choices` are wanted, which is the default. Without them the shape of a body whose names leave nothing open is not looked
   * at; the map is the same.
   */
  readonly explain?: boolean;
}

/** With fewer required bones than this by names, the shape is the map, and names complete it. */
const FEW = 9;
/** Another reading of the shape that comes as near as this to the best makes it unsure. */
const NEAR = 0.8;
/** Signs of the front weaker than this do not tell left from right. */
const WEAK_SIDES = 0.25;
/** The confidence that a bone keeps when it does not hang below its parent bone. */
const FAULTY = 0.4;

const FINGER = /Thumb|Index|Middle|Ring|Little/;

const REQUIRED: readonly number[] = REQUIRED_BONES.map((bone) => BONE[bone]);

/**
 * Maps a skeleton. Names that tell all required bones, in a tree that hangs together, are believed. What they leave out or have in
 * the wrong place is found by shape: pairs of chains of the same lengths, where they meet, and where they point to. Where names say
 * next to nothing the shape alone decides; left and right are then told by toes, knees, elbows, thumbs and face, and an issue says
 * so when these do not.
 */
export function mapBones(skeleton: Skeleton, options: MapOptions = {}): BoneMapping {
  const named = readByNames(skeleton);
  const certain = isCertain(skeleton, named);
  if (options.explain === false && certain) return { ...named.mapping, shapeless: null };
  const found = mapByShape(skeleton, options.motion ?? null);
  const { map } = named.mapping;
  if (found.nodes === null) {
    const choices = explainBones(named, map, null);
    return { ...named.mapping, map: { ...map, choices }, shapeless: found.reason };
  }
  const { shape, sides } = alignSides(found, map.nodes);
  if (certain) return { ...named.mapping, map: { ...map, choices: explainBones(named, map, shape) }, shapeless: null };
  if (isComplete(skeleton, map.nodes)) {
    const whole = withOptional(named, { ...map, confidence: together(map, shape) }, shape);
    return { ...named.mapping, map: { ...whole, choices: explainBones(named, whole, shape) }, shapeless: null };
  }
  const merged = merge(named, shape);
  const { missing, issues } = mappingOf(named.rig, merged);
  const byShape = REQUIRED_BONES.filter((bone) => map.nodes[BONE[bone]] !== merged.nodes[BONE[bone]]);
  return {
    map: { ...merged, choices: explainBones(named, merged, shape) },
    missing,
    issues: [...issues, ...reportShape(byShape), ...reportNext(shape), ...reportSides(shape, sides)],
    shapeless: null,
  };
}

/** Whether a map has all required bones and each of them hangs where it should. */
function isComplete({ parents }: Skeleton, nodes: Int32Array): boolean {
  const faults = hierarchyFaults(parents, nodes);
  return REQUIRED.every((bone) => nodes[bone] >= 0 && faults[bone] === 0);
}

/** Bones that the shape of a body may add below another one that its names tell. */
const OPEN_ENDED: readonly (readonly [top: number, bones: readonly number[]])[] = [
  [BONE.head, [BONE.leftEye, BONE.rightEye, BONE.jaw]],
  ...(['left', 'right'] as const).map((side): [number, number[]] => [
    BONE[`${side}Hand`],
    BONES.flatMap((name, bone) => (FINGER.test(name) && name.startsWith(side) ? [bone] : [])),
  ]),
];

/**
 * Whether the names leave nothing to the shape: a convention names the required bones of a complete map without a doubt, and below hands and
 * head there is nothing that could be a bone that is still missing.
 */
function isCertain(skeleton: Skeleton, { rig, mapping }: NameReadings): boolean {
  const { nodes, confidence } = mapping.map;
  if (!isComplete(skeleton, nodes) || REQUIRED.some((bone) => confidence[bone] < 1)) return false;
  const open = OPEN_ENDED.filter(([, bones]) => bones.some((bone) => nodes[bone] < 0)).map(([top]) => nodes[top]);
  return rig.readings.every(({ helper, tip }, node) => {
    if (helper || tip || rig.quality[node] < 0 || nodes.includes(node)) return true;
    return open.every((top) => !isBelow(rig.tree, node, top));
  });
}

/** What names say of the sides of a shape. */
type NamedSides = 'agree' | 'swapped' | 'silent' | 'mixed';

/** Turns left and right of a shape as the names have them, where they tell. */
function alignSides(shape: ShapeMap, named: Int32Array): { shape: ShapeMap; sides: NamedSides } {
  let same = 0;
  let swapped = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const mirror = BONE_MIRRORS[bone];
    if (mirror === bone || named[bone] < 0) continue;
    if (shape.nodes[bone] === named[bone]) same++;
    else if (shape.nodes[mirror] === named[bone]) swapped++;
  }
  if (same + swapped === 0) return { shape, sides: 'silent' };
  if (same > 0 && swapped > 0) return { shape: same >= swapped ? shape : mirrored(shape), sides: 'mixed' };
  return same > 0 ? { shape, sides: 'agree' } : { shape: mirrored(shape), sides: 'swapped' };
}

function mirrored(shape: ShapeMap): ShapeMap {
  const swap = <T extends Int32Array | Float32Array>(values: T): T =>
    values.map((_, bone) => values[BONE_MIRRORS[bone]]) as T;
  const next = shape.next === null ? null : { ...shape.next, nodes: swap(shape.next.nodes) };
  return { ...shape, nodes: swap(shape.nodes), sure: swap(shape.sure), next };
}

/** Confidence per bone: names and shape are independent, so where both say the same the doubts multiply. */
function together(map: BoneMap, shape: ShapeMap): Float32Array {
  return map.confidence.map((named, bone) => {
    const agrees = map.nodes[bone] >= 0 && shape.nodes[bone] === map.nodes[bone];
    return agrees ? 1 - (1 - named) * (1 - shape.sure[bone]) : named;
  });
}

/**
 * A complete map with the optional bones that its names do not tell (fingers called `f2a`), where the shape is read in the same way:
 * on both sides, and of nodes whose names do not call them something else.
 */
function withOptional({ rig }: NameReadings, map: BoneMap, shape: ShapeMap): BoneMap {
  if (REQUIRED.some((bone) => shape.nodes[bone] !== map.nodes[bone])) return map;
  const nodes = map.nodes.slice();
  const sure = Float32Array.from(map.confidence);
  const isNew = (bone: number): boolean => {
    const node = shape.nodes[bone];
    if (map.nodes[bone] >= 0 || node < 0 || map.nodes.includes(node) || rig.quality[node] < 0) return false;
    const { part, helper, tip } = rig.readings[node];
    return !helper && !tip && (part === null || part === 'finger');
  };
  const added = shape.nodes.map((node, bone) => (isNew(bone) && isNew(BONE_MIRRORS[bone]) ? node : -1));
  fillFrom(rig, nodes, sure, [{ from: 'shape', nodes: added, sure: shape.sure, score: 0 }]);
  return { ...map, nodes, confidence: sure };
}

/** The map by shape completed by names, or the map by names completed by shape, whichever tells more. */
function merge(named: NameReadings, shape: ShapeMap): BoneMap {
  const { rig, mapping } = named;
  const byNames = mapping.map;
  const count = REQUIRED.filter((bone) => byNames.nodes[bone] >= 0).length;
  const candidate = (from: string, nodes: Int32Array, sure: Float32Array): CandidateMap => ({
    from,
    nodes,
    sure,
    score: 0,
  });
  const ofShape = candidate('shape', shape.nodes, shape.sure);
  const ofNames = candidate(byNames.from, byNames.nodes, byNames.confidence);
  const [base, other] = count < FEW ? [ofShape, ofNames] : [ofNames, ofShape];
  const nodes = base.nodes.slice();
  const sure = base.sure.slice();
  fillFrom(rig, nodes, sure, [other]);
  mendFaults(rig, nodes, sure, [other]);
  const faults = hierarchyFaults(rig.tree.parents, nodes);
  const confidence = Float32Array.from(nodes, (node, bone) => {
    if (node < 0) return 0;
    const doubts = [ofNames, ofShape].map((one) => (one.nodes[bone] === node ? 1 - one.sure[bone] : 1));
    return (1 - doubts[0] * doubts[1]) * (faults[bone] === 1 && shape.nodes[bone] !== node ? FAULTY : 1);
  });
  return { nodes, confidence, from: base.from };
}

function reportShape(byShape: readonly BoneName[]): Issue[] {
  if (byShape.length === 0) return [];
  const list = byShape.length === REQUIRED_BONES.length ? 'all bones' : byShape.join(', ');
  return [issue('BONES_BY_SHAPE', `Names do not tell ${list}; found by where the joints are. Check the bone map.`)];
}

function reportNext(shape: ShapeMap): Issue[] {
  const { score, next } = shape;
  if (next === null || next.score < NEAR * score) return [];
  const differ = REQUIRED_BONES.filter((bone) => next.nodes[BONE[bone]] !== shape.nodes[BONE[bone]]);
  return [
    issue(
      'BONES_AMBIGUOUS',
      `Another reading of the shape is nearly as good (${Math.round((100 * next.score) / score)} % of this one); it differs in ` +
        `${differ.join(', ')}. Check the bone map.`,
    ),
  ];
}

function reportSides(shape: ShapeMap, sides: NamedSides): Issue[] {
  if (sides === 'agree' || sides === 'swapped') return [];
  if (sides === 'silent' && shape.sides >= WEAK_SIDES) return [];
  return [
    issue(
      'LEFT_RIGHT_AMBIGUOUS',
      sides === 'mixed'
        ? 'Names call the same side left here and right there; left and right were taken as most of them say. Check the bone map.'
        : 'Nothing tells the front of this body (no toes, bent knees or elbows, thumbs, face), so left and right are a guess. Check the bone map.',
    ),
  ];
}
