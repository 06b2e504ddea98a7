/** Applies edits to clips: the mirror to a motion and its humanoid, loop and reduction to the result. What few keys and loops need is loaded when asked for: a page shows its first result without it. */
import type { Clip } from '../../core/animation/clip.ts';
import { frameKeysOf } from '../../core/animation/frame-times.ts';
import { mirrorClip } from '../../core/animation/mirror-clip.ts';
import { unionTimes } from '../../core/animation/resample.ts';
import { EXACT_TOLERANCE, LINEAR_TOLERANCE } from '../../core/animation/resample-tolerance.ts';
import type { AssetClip, AssetSkeleton, MorphTrack } from '../../core/asset/asset.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { mirrorHumanoid } from '../../core/humanoid/mirror-humanoid.ts';
import { findRootMotionNode } from '../../core/humanoid/root-motion-node.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { findRootBone } from '../../core/root-motion/root-bone.ts';
import type { Skeleton } from '../../core/skeleton/skeleton.ts';
import { skeletonSize } from '../../core/skeleton/skeleton-size.ts';
import type { OutputKeys } from '../outputs/output-format.ts';
import { type ClipEdits, editsMotion } from './clip-edits.ts';
import type { EditedMotion } from './edit-motion.ts';

/** Returns what trims, cleans and changes the speed of clips; without such edits, they stay as they are. */
export async function motionEditor(
  edits: ClipEdits,
): Promise<(skeletons: readonly AssetSkeleton[], clip: AssetClip) => EditedMotion> {
  if (!editsMotion(edits)) return (_, clip) => ({ clip, cleaned: [] });
  const { editMotion } = await import('./edit-motion.ts');
  return (skeletons, clip) => editMotion(skeletons, clip, edits);
}

interface KeySource {
  /** The motion that the result was made from, trimmed and at its new speed. */
  readonly motion: Clip;
  /** Keys per second of a result that was resampled; undefined for the keys of the motion. */
  readonly fps: number | undefined;
  readonly keys: OutputKeys;
}

/**
 * Gives a result few LINEAR keys, within 0.1° of a rotation, 0.2° of a world rotation and 1e-4 of the height at any time. Keys of glTF and USD that
 * were kept stay as they are where the output can hold them. Outputs with a value per frame are sampled from the exact motion; outputs with curves
 * follow it. `humanoid`: the skeleton as a humanoid; null for other skeletons.
 */
async function withMotionKeys(
  skeleton: Skeleton,
  humanoid: Humanoid | null,
  clip: Clip,
  { motion, fps, keys }: KeySource,
  { keys: wanted = 'linear' }: ClipEdits,
): Promise<Clip> {
  if (fps !== undefined || clip.tracks.length === 0) return clip;
  // Curves of a file start from its own keys, wherever they are; the others are those that a frame rate fits.
  const frames = keys === 'curves' && motion.keyTimes !== undefined ? motion.keyTimes : frameKeysOf(motion);
  const timed = frames === null ? clip : { ...clip, keyTimes: frames };
  if (wanted === 'exact' || keys === 'frames' || keys === 'curves') return timed;
  // Readers of FBX and BVH make the keys themselves, and recordings have one in every frame.
  const isBaked = motion.keyTimes !== undefined;
  // Frames of a BVH that is not retargeted are data, of which only what lies between others is left out.
  const isConverted = clip === motion && clip.tracks.every(({ interpolation }) => interpolation === 'LINEAR');
  const { linearKeys } = await import('../../core/animation/linear-keys.ts');
  const tracks = linearKeys(skeleton, clip.tracks, {
    tolerance: isConverted ? EXACT_TOLERANCE : LINEAR_TOLERANCE,
    size:
      humanoid === null || humanoid.height === 0 ? skeletonSize(skeleton) : humanoid.height / humanoid.metersPerUnit,
    converts: isBaked || keys !== 'any' ? ['CUBICSPLINE'] : [],
    keyTimes: motion.keyTimes ?? unionTimes(motion.tracks.map(({ times }) => times)),
    isBaked,
    sharesTimes: keys === 'shared',
  });
  // A motion that was not retargeted and keeps its keys needs no other key times.
  return clip === motion && tracks.every((track, k) => track === clip.tracks[k]) ? clip : { ...timed, tracks };
}

export function applyMirrorToHumanoid(humanoid: Humanoid, { mirror }: ClipEdits): Humanoid {
  return mirror === true ? mirrorHumanoid(humanoid) : humanoid;
}

export function applyMirrorToClip(clip: Clip, { mirror }: ClipEdits): Clip {
  return mirror === true ? mirrorClip(clip) : clip;
}

export async function applyGround(
  humanoid: Humanoid,
  surface: () => Promise<ContactSurface>,
  clip: Clip,
  { ground }: ClipEdits,
): Promise<Clip> {
  if (ground !== 'fit' || clip.tracks.length === 0) return clip;
  const { fitGround } = await import('../contacts-bundle.ts');
  return fitGround(humanoid, await surface(), clip).clip;
}

/** Reports a character that has no root bone although one was asked for. */
export function reportRootBone(humanoid: Humanoid, fileName: string, { root }: ClipEdits): Issue[] {
  if (root !== 'root-bone') return [];
  const bone = findRootBone(humanoid);
  if (bone === null) {
    const found = `${fileName} has no node above the hips on the ground, so root motion stays in the hips.`;
    return [issue('ROOT_BONE_MISSING', `${found} Expected a root bone or an armature: add one, or choose hips.`)];
  }
  if (bone.isJoint) return [];
  const name = JSON.stringify(humanoid.skeleton.names[bone.node]);
  const found = `${fileName} has no root bone among the joints of its skin. Root motion is on ${name}, a node above the hips.`;
  return [issue('ROOT_BONE_NO_JOINT', `${found} For players that animate only joints, choose hips.`)];
}

/**
 * Loops a clip, if the edits say so. Root motion of a humanoid is preserved; of other skeletons all tracks are closed, because their root motion is
 * unknown.
 */
export async function applyLoop(
  skeleton: Skeleton,
  humanoid: Humanoid | null,
  clip: Clip,
  { loop }: ClipEdits,
): Promise<Clip> {
  if (loop !== true) return clip;
  const { loopClip } = await import('../../core/animation/loop-clip.ts');
  return loopClip(skeleton, clip, humanoid === null ? undefined : findRootMotionNode(humanoid));
}

/** Chooses the keys of a clip (see `withMotionKeys`), and reduces them, if the edits say so. `source` is what the keys depend on. */
export async function chooseKeys(
  skeleton: Skeleton,
  humanoid: Humanoid | null,
  clip: Clip,
  edits: ClipEdits,
  source: KeySource,
): Promise<Clip> {
  const keyed = await withMotionKeys(skeleton, humanoid, clip, source, edits);
  if (edits.reduce === undefined) return keyed;
  const { reduceKeys } = await import('../../core/animation/reduce-keys.ts');
  return reduceKeys(skeleton, keyed, edits.reduce);
}

/** Removes the keys of morph weights that lie on a line between their neighbors, if the edits say so. */
export async function reduceMorphTracks(
  morphs: readonly MorphTrack[],
  { reduce }: ClipEdits,
): Promise<readonly MorphTrack[]> {
  if (reduce === undefined) return morphs;
  const { reduceMorphTrack } = await import('../../core/asset/edit-asset-clip.ts');
  return morphs.map(reduceMorphTrack);
}
