/** Retargets the face of a motion to a character: expressions, morph targets and eyes. */
import type { Keys, Track } from '../../core/animation/clip.ts';
import type { AssetClip, MorphTrack } from '../../core/asset/asset.ts';
import { bakeFace } from '../../core/face/bake-face.ts';
import type { FaceRig, MorphNode } from '../../core/face/face-rig.ts';
import { type FaceTracks, isAlwaysZero, type LookAtTrack } from '../../core/face/face-tracks.ts';
import { defaultLookAt, eyeTracks, lookAtExpressions } from '../../core/face/look-at.ts';
import { type FaceSource, planFace } from '../../core/face/plan-face.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { countUnnamedMorphs, LOOK_AT, motionFace, namesOfFace } from './motion-face.ts';
import { vrmaFace } from './vrma-face.ts';

function haveSameTargets({ targetCount, targetNames }: MorphTrack, node: MorphNode): boolean {
  if (targetCount !== node.weights.length) return false;
  const { targetNames: others } = node;
  return targetNames === undefined || others === null || targetNames.every((name, i) => name === others[i]);
}

/**
 * Copies morph weights to the nodes of a character that have the same name and the same morph targets. Node names that are empty or not unique match
 * nothing.
 */
export function copyMorphTracks(morphs: readonly MorphTrack[], nodes: readonly MorphNode[]): MorphTrack[] {
  const byName = new Map<string, MorphNode | null>();
  for (const node of nodes) if (node.name !== '') byName.set(node.name, byName.has(node.name) ? null : node);
  const taken = new Set<number>();
  return morphs.flatMap((morph) => {
    const target = byName.get(morph.nodeName);
    if (!target || !haveSameTargets(morph, target) || taken.has(target.node)) return [];
    taken.add(target.node);
    return [{ ...morph, sourceNode: target.node }];
  });
}

/** The face of a motion on a character, as its file has it. */
interface MatchedFace {
  /** Morph weights, on node indices of the character's file. */
  readonly morphs: readonly MorphTrack[];
  /** Eye rotations, on nodes of the character's skeleton. */
  readonly eyes: readonly Track[];
  /** Names of expressions and shapes in the motion that the character lacks. */
  readonly dropped: readonly string[];
}

export interface RetargetedFace extends MatchedFace {
  /** The face for a VRMA of the character; empty where only names count. */
  readonly forVrma: FaceTracks;
  /** Number of morph tracks of the motion that have names or were copied. */
  readonly usedMorphs: number;
}

/** Maximum number of weights in one clip: the number of targets multiplies with the number of keys. */
const MAX_WEIGHTS = 100_000_000;

/** Throws FormatError `GLTF_LIMIT` for a face whose weights would exhaust memory. */
function checkSize(sources: readonly FaceSource[], animated: ReadonlySet<number>, { morphNodes }: FaceRig): void {
  const times = new Set(sources.map(({ keys }) => keys.times));
  const keys = [...times].reduce((sum, list) => sum + list.length, 0);
  const targets = morphNodes.reduce((sum, { node, weights }) => sum + (animated.has(node) ? weights.length : 0), 0);
  if (keys * targets <= MAX_WEIGHTS) return;
  const message = `A face with ${keys} keys on ${targets} morph targets exceeds the limit of ${MAX_WEIGHTS} weights; trim the clip, or use the option face: false`;
  throw new FormatError('GLTF_LIMIT', message);
}

function retargetLookAt(
  lookAt: LookAtTrack,
  { lookAt: ownRig }: FaceRig,
  humanoid: Humanoid,
): { eyes: Track[]; sources: FaceSource[] } {
  const hasEyes = humanoid.map.nodes[BONE.leftEye] >= 0 || humanoid.map.nodes[BONE.rightEye] >= 0;
  const type = ownRig?.type === 'expression' || !hasEyes ? 'expression' : 'bone';
  const rig = ownRig?.type === type ? ownRig : defaultLookAt(type);
  if (type === 'bone') return { eyes: eyeTracks(humanoid, rig, lookAt), sources: [] };
  const weights = lookAtExpressions(rig, lookAt).filter(({ keys }) => !isAlwaysZero(keys.values));
  const sources = weights.map(({ shape, keys }): FaceSource => {
    return { name: shape, match: { shape, parts: 1 }, kind: 'expression', keys };
  });
  return { eyes: [], sources };
}

/**
 * Matches the face of a clip with a character. Morph weights are copied to nodes with the same name and targets (`copyMorphTracks`); everything
 * else is matched by name and meaning (`planFace`) and added. Look-at rotates the eye bones; without them it becomes weights of lookUp, lookDown,
 * lookLeft and lookRight, or of equivalent morph targets. Throws FormatError `GLTF_LIMIT` for too many weights.
 */
function matchFace(clip: AssetClip, isMirrored: boolean, rig: FaceRig, humanoid: Humanoid): MatchedFace {
  const face = motionFace(clip, isMirrored);
  const copied = isMirrored ? [] : copyMorphTracks(clip.morphs, rig.morphNodes);
  const lookAt = face.lookAt === null ? { eyes: [], sources: [] } : retargetLookAt(face.lookAt, rig, humanoid);
  const sources = [...face.sources, ...lookAt.sources];
  const plan = planFace(sources, rig);
  // Nodes with copied weights need no further morph weights.
  const copiedNodes = new Set(copied.map(({ sourceNode }) => sourceNode));
  const morphs = plan.morphs.flatMap((morph) => {
    const terms = morph.terms.filter(({ source }) => !copiedNodes.has(morph.node) || sources[source].kind !== 'morph');
    return terms.length === 0 ? [] : [{ ...morph, terms }];
  });
  const expressions = rig.expressions.filter((_, e) => plan.expressions[e].length > 0);
  const animated = [
    ...morphs.map(({ node }) => node),
    ...expressions.flatMap(({ binds }) => binds.map(({ node }) => node)),
  ];
  checkSize(sources, new Set(animated), rig);
  const indexOf = new Map(rig.morphNodes.map(({ node }, k) => [node, k]));
  const fixed = new Map<number, Keys>(copied.map((track) => [indexOf.get(track.sourceNode) as number, track]));
  const baked = bakeFace({ ...plan, morphs }, rig, sources, fixed).map(({ morphNode, ...keys }): MorphTrack => {
    const { node, name, weights, targetNames } = rig.morphNodes[morphNode];
    const names = targetNames === null ? {} : { targetNames };
    return { sourceNode: node, nodeName: name, targetCount: weights.length, ...names, ...keys };
  });
  const done = new Set(baked.map(({ sourceNode }) => sourceNode));
  const missing = plan.missing.map((source) => (source < face.sources.length ? sources[source].name : LOOK_AT));
  return {
    morphs: [...copied.filter(({ sourceNode }) => !done.has(sourceNode)), ...baked],
    eyes: lookAt.eyes,
    dropped: [...new Set(missing)],
  };
}

/** Copies only the morph weights of nodes and targets with the same names, and nothing by meaning. */
function copyFace(clip: AssetClip, rig: FaceRig): MatchedFace {
  const morphs = copyMorphTracks(clip.morphs, rig.morphNodes);
  const same = new Set(morphs.map(({ nodeName }) => nodeName));
  const others = clip.morphs.filter(({ nodeName }) => !same.has(nodeName));
  return { morphs, eyes: [], dropped: namesOfFace(motionFace({ ...clip, morphs: others }, false)) };
}

/** Retargets the face of a clip. `byMeaning`: false copies only what has the same names. Throws FormatError `GLTF_LIMIT` for too many weights. */
export function retargetFace(
  clip: AssetClip,
  source: Humanoid,
  target: Humanoid,
  rig: FaceRig,
  { isMirrored, byMeaning }: { readonly isMirrored: boolean; readonly byMeaning: boolean },
): RetargetedFace {
  const matched = byMeaning ? matchFace(clip, isMirrored, rig, target) : copyFace(clip, rig);
  const forVrma = byMeaning
    ? vrmaFace(clip, isMirrored, source, target, rig.lookAt?.offsetFromHeadBone ?? null)
    : { expressions: [], lookAt: null };
  return { ...matched, forVrma, usedMorphs: clip.morphs.length - countUnnamedMorphs(clip, matched.morphs) };
}
