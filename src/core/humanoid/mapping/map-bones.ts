import type { Clip } from '../../animation/clip.ts';
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_MIRRORS, BONES, type BoneName, isFingerBone, REQUIRED_BONES, SIDES } from '../bones.ts';
import type { BoneMap } from '../humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../node-bones.ts';
import type { BoundVertices } from '../t-pose/bound-vertices.ts';
import { voteOnSides } from '../t-pose/estimate-frame.ts';
import type { FrontVote } from '../t-pose/facing.ts';
import { bindModelPose, restModelPose } from '../t-pose/model-pose.ts';
import { samplePoses } from '../t-pose/sample-poses.ts';
import { mapByShape, type ShapeMap } from './by-shape/map-by-shape.ts';
import { explainBones } from './combine/explain-bones.ts';
import { checkMap, matchNames, type NameMapping, type NameMatches } from './combine/map-by-names.ts';
import {
  addOptionalBones,
  alignSides,
  combineConfidences,
  mergeMaps,
  type NamedSides,
  withoutProps,
} from './combine/merge-shape.ts';
import { cutToMarked, findDeforming } from './deforming-rig.ts';
import { hierarchyFaults } from './hierarchy-faults.ts';
import { isDescendant, isInSubtree } from './node-tree.ts';

/** A bone map and what was found out about it. */
export interface BoneMapping extends NameMapping {
  /**
   * The map. `from` is the best naming convention, `words` where words for body parts in the names explain more than any
   * convention, or `shape` where joint positions do. `choices` explains each bone.
   */
  readonly map: BoneMap;
  /** Why the shape of the skeleton is not human, as a clause; null where it is or was not analyzed. */
  readonly shapeRefusal: string | null;
}

/** Options of {@link mapBones}. */
interface MapOptions {
  /**
   * A clip for this skeleton. It shows which joints bend, and its poses may show the shape more clearly than the rest
   * pose.
   */
  readonly motion?: Clip | null;
  /**
   * Whether to fill `map.choices`; true by default. When false, the shape is not analyzed if the names are
   * conclusive. The map is the same.
   */
  readonly explain?: boolean;
  /** Returns the vertices that move with the skeleton. Called only where several nodes have the name of a bone. */
  readonly vertices?: () => BoundVertices | null;
}

/** A second interpretation with at least this fraction of the best score makes the shape ambiguous. */
const NEAR = 0.8;
/** Below this side confidence, left and right are reported as guessed. */
const WEAK_SIDES = 0.25;

/**
 * Feet, face, knees and thumbs that point backward with this sum mean that left and right of the names are exchanged: straight feet count 1. Of 87 rest
 * poses of real files whose names are right, none has one below 0.
 */
const EXCHANGED = -0.5;
/** Poses of a motion that are looked at for it. */
const SAMPLES = 12;

const REQUIRED: readonly number[] = REQUIRED_BONES.map((bone) => BONE[bone]);

/**
 * Maps the nodes of a skeleton to humanoid bones.
 *
 * A map by names that has all required bones in a valid hierarchy is final. Bones that it lacks or misplaces are
 * found by shape: pairs of chains with equal lengths, the nodes where they meet, and the directions they point to.
 * When the names identify few bones, the shape alone decides; toes, knees, elbows, thumbs and face then separate left
 * from right. Names whose left is the right side of the character (seen from the front, or mirrored with it) are exchanged. Issues report ambiguous results.
 *
 * @param skeleton The skeleton to map.
 * @param options A motion of the skeleton, and whether to explain each bone.
 * @returns The map, the required bones without a node, and the issues.
 * @example const { map, missing, issues } = mapBones(asset.skeletons[0].skeleton); const leftHand =
 *   map.nodes[BONE.leftHand]; // −1 when the skeleton has none
 */
export function mapBones(skeleton: Skeleton, options: MapOptions = {}): BoneMapping {
  const named = matchNames(skeleton);
  const whole = mapByNamesAndShape(skeleton, named, options);
  const mapping = mapDeforming(skeleton, named, whole.map, options) ?? whole;
  // Sides by shape follow all that points to the front already.
  if (mapping.map.from === 'shape') return mapping;
  const backward = findBackward(skeleton, mapping.map.nodes, options.motion ?? null);
  return backward === null ? mapping : exchangeSides(mapping, backward);
}

/**
 * Finds what would point backward with the left and right of a map: feet or face, with what agrees with them. Returns the parts in the rest pose;
 * null where nothing does, and where the bind pose or the mean of a motion do not agree.
 */
function findBackward(skeleton: Skeleton, nodes: Int32Array, motion: Clip | null): FrontVote['backward'] | null {
  const rest = voteOnSides(restModelPose(skeleton).positions, nodes);
  if (rest === null || !isBackward(rest)) return null;
  const bind = bindModelPose(skeleton);
  const bound = bind === null ? null : voteOnSides(bind.positions, nodes);
  if (bound !== null && !isBackward(bound)) return null;
  const moving = motion === null ? [] : [...samplePoses(skeleton, motion, SAMPLES)];
  const votes = moving.flatMap(({ positions }) => voteOnSides(positions, nodes)?.votes ?? []);
  const mean = votes.reduce((sum, vote) => sum + vote / votes.length, 0);
  return votes.length > 0 && mean > EXCHANGED ? null : rest.backward;
}

/** Tests whether a vote says that left and right are exchanged. Knees and thumbs alone do not: some bend the other way. */
function isBackward({ votes, backward }: FrontVote): boolean {
  return votes <= EXCHANGED && (backward.includes('feet') || backward.includes('face'));
}

function exchangeSides(mapping: BoneMapping, backward: FrontVote['backward']): BoneMapping {
  const { nodes, confidence, choices, from } = mapping.map;
  const message =
    `Left and right in the node names are exchanged: with them, ${backward.join(', ')} would point backward. ` +
    'The bones were mapped by where the character looks. Check the bone map.';
  return {
    ...mapping,
    map: {
      from,
      nodes: nodes.map((_, bone) => nodes[BONE_MIRRORS[bone]]),
      confidence: confidence.map((_, bone) => confidence[BONE_MIRRORS[bone]]),
      ...(choices === undefined ? {} : { choices: choices.map((_, bone) => choices[BONE_MIRRORS[bone]]) }),
    },
    missing: mapping.missing.map((bone) => BONES[BONE_MIRRORS[BONE[bone]]]),
    issues: [
      ...mapping.issues.filter(({ code }) => code !== 'LEFT_RIGHT_AMBIGUOUS'),
      issue('LEFT_RIGHT_AMBIGUOUS', message),
    ],
  };
}

/**
 * Maps the nodes that deform the body where the map of all nodes has controls: bones that move no vertex. Returns null where the map of all nodes moves the body: also
 * where all others are copies of its bones, which retargeting moves with them.
 */
function mapDeforming(skeleton: Skeleton, named: NameMatches, whole: BoneMap, options: MapOptions): BoneMapping | null {
  const deforming = findDeforming(named.rig, whole.nodes, options.vertices);
  if (deforming === null) return null;
  const { cut, nodes } = cutToMarked(skeleton, deforming);
  const found = mapByNamesAndShape(cut, matchNames(cut), options);
  const toWhole = (node: number): number => (node < 0 ? -1 : nodes[node]);
  const own = found.map.nodes.map(toWhole);
  if (found.map.from === 'shape' || REQUIRED.some((bone) => own[bone] < 0 || deforming[own[bone]] === 0)) return null;
  const boneOfNode = mapNodesToBones(whole.nodes, skeleton.parents.length);
  /** Bones that move a vertex, by themselves or by a node below them that is below no other bone. */
  const moving = new Set(
    Array.from(deforming.keys(), (node) => {
      return deforming[node] === 1 ? boneAtOrAbove(skeleton.parents, boneOfNode, node) : -1;
    }),
  );
  const { tree, names } = named.rig;
  const isControl = (bone: number): boolean => {
    const [node, other] = [whole.nodes[bone], own[bone]];
    if (node < 0) return true;
    const isCopy = names.keys[other].includes(names.keys[node]);
    return !moving.has(bone) && !isInSubtree(tree, other, node) && !isCopy;
  };
  if (!REQUIRED.some(isControl)) return null;
  const choices = found.map.choices?.map((choice) => choice && { ...choice, runnerUp: toWhole(choice.runnerUp) });
  return { ...found, map: { ...found.map, nodes: own, ...(choices && { choices }) } };
}

function mapByNamesAndShape(skeleton: Skeleton, named: NameMatches, options: MapOptions): BoneMapping {
  const certain = isCertain(skeleton, named);
  if (options.explain === false && certain) return { ...named.mapping, shapeRefusal: null };
  const found = mapByShape(skeleton, options.motion ?? null);
  const { map } = named.mapping;
  if (found.nodes === null) {
    const choices = explainBones(named, map, null);
    return { ...named.mapping, map: { ...map, choices }, shapeRefusal: found.reason };
  }
  const { shape: aligned, sides } = alignSides(found, map.nodes);
  const shape = withoutProps(named, aligned);
  if (certain)
    return {
      ...named.mapping,
      map: { ...map, choices: explainBones(named, map, shape) },
      shapeRefusal: null,
    };
  if (isComplete(skeleton, map.nodes)) {
    const whole = addOptionalBones(named, { ...map, confidence: combineConfidences(map, shape) }, shape);
    return {
      ...named.mapping,
      map: { ...whole, choices: explainBones(named, whole, shape) },
      shapeRefusal: null,
    };
  }
  const merged = mergeMaps(named, shape);
  const { missing, issues } = checkMap(named.rig, merged);
  const byShape = REQUIRED_BONES.filter((bone) => map.nodes[BONE[bone]] !== merged.nodes[BONE[bone]]);
  return {
    map: { ...merged, choices: explainBones(named, merged, shape) },
    missing,
    issues: [...issues, ...reportShape(byShape), ...reportRunnerUp(shape), ...reportSides(shape, sides)],
    shapeRefusal: null,
  };
}

function isComplete({ parents }: Skeleton, nodes: Int32Array): boolean {
  const faults = hierarchyFaults(parents, nodes);
  return REQUIRED.every((bone) => nodes[bone] >= 0 && faults[bone] === 0);
}

/** Bones that the shape may add below a bone that names identify. */
const OPEN_ENDED: readonly (readonly [top: number, bones: readonly number[]])[] = [
  [BONE.head, [BONE.leftEye, BONE.rightEye, BONE.jaw]],
  ...SIDES.map((side): [number, number[]] => [
    BONE[`${side}Hand`],
    BONES.flatMap((name, bone) => (isFingerBone(name) && name.startsWith(side) ? [bone] : [])),
  ]),
];

/**
 * Tests whether the names are conclusive: a convention identifies all required bones, and no unmapped node below the
 * hands and the head could be one of the missing bones.
 */
function isCertain(skeleton: Skeleton, { rig, mapping }: NameMatches): boolean {
  const { nodes, confidence } = mapping.map;
  if (!isComplete(skeleton, nodes) || REQUIRED.some((bone) => confidence[bone] < 1)) return false;
  const open = OPEN_ENDED.filter(([, bones]) => bones.some((bone) => nodes[bone] < 0)).map(([top]) => nodes[top]);
  return rig.readings.every(({ helper, tip }, node) => {
    if (helper || tip || rig.quality[node] < 0 || nodes.includes(node)) return true;
    return open.every((top) => !isDescendant(rig.tree, node, top));
  });
}

function reportShape(byShape: readonly BoneName[]): Issue[] {
  if (byShape.length === 0) return [];
  const list = byShape.length === REQUIRED_BONES.length ? 'all required bones' : byShape.join(', ');
  const message = `Node names do not identify these bones, so joint positions were used: ${list}. Check the bone map.`;
  return [issue('BONES_BY_SHAPE', message)];
}

function reportRunnerUp({ score, nodes, runnerUp }: ShapeMap): Issue[] {
  if (runnerUp === null || runnerUp.score < NEAR * score) return [];
  const differ = REQUIRED_BONES.filter((bone) => runnerUp.nodes[BONE[bone]] !== nodes[BONE[bone]]);
  const percent = Math.round((100 * runnerUp.score) / score);
  const message =
    `A second interpretation of the joint positions scores nearly as high (${percent} % of the first). It differs in ` +
    `${differ.join(', ')}. Check the bone map.`;
  return [issue('BONES_AMBIGUOUS', message)];
}

/** Reports names that contradict each other about left and right, or a shape that does not show the front. */
function reportSides({ sideConfidence }: ShapeMap, sides: NamedSides): Issue[] {
  if (sides === 'agree' || sides === 'swapped') return [];
  if (sides === 'silent' && sideConfidence >= WEAK_SIDES) return [];
  return [
    issue(
      'LEFT_RIGHT_AMBIGUOUS',
      sides === 'mixed'
        ? 'Left and right in the node names conflict with each other; the majority was used. Check the bone map.'
        : 'Left and right were guessed, because no toes, bent knees or elbows, thumbs or face show where the character faces. ' +
            'Check the bone map.',
    ),
  ];
}
