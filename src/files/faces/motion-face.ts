/** The face of a motion: weights of expressions and morph targets, and look-at. */
import type { Keys } from '../../core/animation/clip.ts';
import type { AssetClip, MorphTrack } from '../../core/asset/asset.ts';
import type { FaceTracks, LookAtTrack } from '../../core/face/face-tracks.ts';
import { mirrorLookAt, mirrorSource } from '../../core/face/mirror-face.ts';
import { type FaceSource, faceSources } from '../../core/face/plan-face.ts';
import { type Issue, issue } from '../../core/report/issue.ts';

const LISTED = 12;

/** Name of look-at among the names of dropped expressions. */
export const LOOK_AT = 'lookAt';

interface MotionFace {
  /** Weights of expressions and morph targets. */
  readonly sources: readonly FaceSource[];
  /** Where the eyes look; null without. */
  readonly lookAt: LookAtTrack | null;
}

export function motionFace({ expressions = [], morphs, lookAt }: AssetClip, isMirrored: boolean): MotionFace {
  const sources = faceSources(expressions, morphs);
  if (!isMirrored) return { sources, lookAt: lookAt ?? null };
  return { sources: sources.map(mirrorSource), lookAt: lookAt === undefined ? null : mirrorLookAt(lookAt) };
}

export function namesOfFace({ sources, lookAt }: MotionFace): string[] {
  return [...sources.map(({ name }) => name), ...(lookAt === null ? [] : [LOOK_AT])];
}

export function keysOfFace({ expressions, lookAt }: FaceTracks): Keys[] {
  return lookAt === null ? [...expressions] : [...expressions, lookAt];
}

/** Counts the morph tracks of a motion that have no target names and were not copied either. */
export function countUnnamedMorphs({ morphs }: AssetClip, copied: readonly MorphTrack[]): number {
  const names = new Set(copied.map(({ nodeName }) => nodeName));
  return morphs.filter(({ targetNames, nodeName }) => targetNames === undefined && !names.has(nodeName)).length;
}

/** Reports names of the faces of clips that were dropped. */
export function droppedFaces<T extends { readonly file: string }>(
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
    return [issue('CHANNELS_DROPPED', `Expressions of ${file} were dropped because ${reason}: ${shown.join(', ')}`)];
  });
}
