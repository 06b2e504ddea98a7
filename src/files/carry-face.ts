/** The face of a motion on a character: expressions, morph targets and eyes. */
import type { Keys, Track } from '../core/animation/clip.ts';
import type { AssetClip, MorphTrack } from '../core/asset/asset.ts';
import type { Geometry } from '../core/asset/geometry.ts';
import { bakeFace } from '../core/face/bake-face.ts';
import type { FaceRig, MorphNode } from '../core/face/face-rig.ts';
import { type FaceTracks, isZero, type LookAtTrack } from '../core/face/face-tracks.ts';
import { defaultGaze, eyeTracks, gazeExpressions } from '../core/face/gaze.ts';
import { type FaceSource, faceSources, planFace } from '../core/face/plan-face.ts';
import { mirrorLookAt, mirrorSource } from '../core/face/portable-face.ts';
import { BONE } from '../core/humanoid/bones.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import { FormatError } from '../core/report/format-error.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import { readFace } from '../formats/gltf/read-face.ts';
import { carryMorphs } from './carry-morphs.ts';
import type { OpenFile } from './open.ts';

/** What came of the face of a motion on a character. */
export interface CarriedFace {
  /** Weights for nodes of the character's file. */
  readonly morphs: readonly MorphTrack[];
  /** Rotations of the eyes, on nodes of its skeleton. */
  readonly eyes: readonly Track[];
  /** Expressions and shapes that the character has nothing for, as the motion calls them. */
  readonly dropped: readonly string[];
}

/** The face of a file as it can be animated; without anything where it is no glTF. What is wrong with it is reported. */
export function faceOf({ document }: OpenFile, issues: Issue[]): FaceRig {
  return document === null ? { morphNodes: [], expressions: [], gaze: null } : readFace(document, issues);
}

/** The face of a character that is no glTF: its morph targets by name. Nodes are those of its file. */
export function faceOfGeometry({ instances, meshes, nodes, sourceNodes }: Geometry): FaceRig {
  const morphNodes = instances.flatMap(({ node, mesh, morphWeights }): MorphNode[] => {
    const { morphNames, morphWeights: weights } = meshes[mesh];
    if (morphNames.length === 0) return [];
    const isNamed = morphNames.some((name) => name !== '');
    return [
      {
        node: sourceNodes[node],
        name: nodes.names[node],
        targetNames: isNamed ? morphNames : null,
        weights: Float64Array.from(morphWeights ?? weights),
      },
    ];
  });
  return { morphNodes, expressions: [], gaze: null };
}

/** Weights of one clip, at most: many targets and many keys multiply. */
const MOST_WEIGHTS = 100_000_000;

/** FormatError GLTF_LIMIT for a face whose keys would fill the memory. */
function checkSize(sources: readonly FaceSource[], moved: ReadonlySet<number>, { morphNodes }: FaceRig): void {
  const times = new Set(sources.map(({ keys }) => keys.times));
  const keys = [...times].reduce((sum, list) => sum + list.length, 0);
  const targets = morphNodes.reduce((sum, { node, weights }) => sum + (moved.has(node) ? weights.length : 0), 0);
  if (keys * targets <= MOST_WEIGHTS) return;
  const message = `${keys} keys of a face on ${targets} morph targets are more than anyrig takes; use fewer clips, or --no-face`;
  throw new FormatError('GLTF_LIMIT', message);
}

/** Names in a message, at most. */
const LISTED = 12;
/** What the gaze of a motion is called among what is dropped. */
export const GAZE = 'lookAt';

/** The face of a motion: its weights and its gaze, left and right changed where it is mirrored. */
export interface MotionFace {
  readonly sources: readonly FaceSource[];
  readonly lookAt: LookAtTrack | null;
}

export function motionFace({ expressions = [], morphs, lookAt }: AssetClip, isMirrored: boolean): MotionFace {
  const sources = faceSources(expressions, morphs);
  if (!isMirrored) return { sources, lookAt: lookAt ?? null };
  return { sources: sources.map(mirrorSource), lookAt: lookAt === undefined ? null : mirrorLookAt(lookAt) };
}

/** Names of everything in a face. */
export function namesOfFace({ sources, lookAt }: MotionFace): string[] {
  return [...sources.map(({ name }) => name), ...(lookAt === null ? [] : [GAZE])];
}

/** All keys of a face. */
export function keysOfFace({ expressions, lookAt }: FaceTracks): Keys[] {
  return lookAt === null ? [...expressions] : [...expressions, lookAt];
}

/** The gaze on the eyes of a character, or as weights of expressions. */
function showGaze(
  lookAt: LookAtTrack,
  { gaze }: FaceRig,
  humanoid: Humanoid,
): { eyes: Track[]; sources: FaceSource[] } {
  const hasEyes = humanoid.map.nodes[BONE.leftEye] >= 0 || humanoid.map.nodes[BONE.rightEye] >= 0;
  const type = gaze?.type === 'expression' || !hasEyes ? 'expression' : 'bone';
  const rig = gaze?.type === type ? gaze : defaultGaze(type);
  if (type === 'bone') return { eyes: eyeTracks(humanoid, rig, lookAt), sources: [] };
  const weights = gazeExpressions(rig, lookAt).filter(({ keys }) => !isZero(keys.values));
  const sources = weights.map(({ shape, keys }): FaceSource => {
    return { name: shape, named: { shape, parts: 1 }, kind: 'expression', keys };
  });
  return { eyes: [], sources };
}

/**
 * The face of a clip on a character. Morph weights of a node that the character has with the same name and targets are carried over as
 * they are (`carryMorphs`); everything else by name and meaning (`planFace`), added to them. The gaze turns the eyes where they are
 * bones, else it becomes weights of lookUp, lookDown, lookLeft and lookRight, or of what shows them.
 */
export function carryFace(clip: AssetClip, isMirrored: boolean, rig: FaceRig, humanoid: Humanoid): CarriedFace {
  const face = motionFace(clip, isMirrored);
  const whole = isMirrored ? [] : carryMorphs(clip.morphs, rig.morphNodes);
  const gaze = face.lookAt === null ? { eyes: [], sources: [] } : showGaze(face.lookAt, rig, humanoid);
  const sources = [...face.sources, ...gaze.sources];
  const plan = planFace(sources, rig);
  // What was carried over whole has its own weights already.
  const wholeNodes = new Set(whole.map(({ sourceNode }) => sourceNode));
  const morphs = plan.morphs.flatMap((morph) => {
    const terms = morph.terms.filter(({ source }) => !wholeNodes.has(morph.node) || sources[source].kind !== 'morph');
    return terms.length === 0 ? [] : [{ ...morph, terms }];
  });
  const expressions = rig.expressions.filter((_, e) => plan.expressions[e].length > 0);
  const moved = [
    ...morphs.map(({ node }) => node),
    ...expressions.flatMap(({ binds }) => binds.map(({ node }) => node)),
  ];
  checkSize(sources, new Set(moved), rig);
  const indexOf = new Map(rig.morphNodes.map(({ node }, k) => [node, k]));
  const fixed = new Map<number, Keys>(whole.map((track) => [indexOf.get(track.sourceNode) as number, track]));
  const baked = bakeFace({ ...plan, morphs }, rig, sources, fixed).map(({ morphNode, ...keys }): MorphTrack => {
    const { node, name, weights, targetNames } = rig.morphNodes[morphNode];
    const names = targetNames === null ? {} : { targetNames };
    return { sourceNode: node, nodeName: name, targetCount: weights.length, ...names, ...keys };
  });
  const done = new Set(baked.map(({ sourceNode }) => sourceNode));
  const missing = plan.missing.map((source) => (source < face.sources.length ? sources[source].name : GAZE));
  return {
    morphs: [...whole.filter(({ sourceNode }) => !done.has(sourceNode)), ...baked],
    eyes: gaze.eyes,
    dropped: [...new Set(missing)],
  };
}

/** Morph tracks of a motion that nothing is known of but their number, and that are not carried over either. */
export function unnamedMorphs({ morphs }: AssetClip, carried: readonly MorphTrack[]): number {
  const names = new Set(carried.map(({ nodeName }) => nodeName));
  return morphs.filter(({ targetNames, nodeName }) => targetNames === undefined && !names.has(nodeName)).length;
}

/** A clip that was carried over, and the file that it comes from. */
interface FromFile {
  readonly file: string;
}

/** One issue a file about names of its face that are not carried over, and why; none where all are. */
export function droppedFaces<T extends FromFile>(
  clips: readonly T[],
  namesOf: (clip: T) => readonly string[],
  reason: string,
): Issue[] {
  const byFile = new Map<string, Set<string>>();
  for (const clip of clips) {
    const names = byFile.get(clip.file) ?? new Set();
    byFile.set(clip.file, names);
    for (const name of namesOf(clip)) names.add(name);
  }
  return [...byFile].flatMap(([file, names]) => {
    if (names.size === 0) return [];
    const shown = [...names].slice(0, LISTED).map((name) => JSON.stringify(name.slice(0, 40)));
    if (names.size > LISTED) shown.push(`and ${names.size - LISTED} more`);
    return [issue('CHANNELS_DROPPED', `Not carried over of the face of ${file}, ${reason}: ${shown.join(', ')}`)];
  });
}
