/** Applies edits to clips: trim, cleaning and speed to the motion, the mirror also to its humanoid, loop and reduction to the result. */
import type { CleanReport } from '../../core/animation/clean/clean-clip.ts';
import type { Clip } from '../../core/animation/clip.ts';
import { frameKeysOf } from '../../core/animation/frame-times.ts';
import { linearKeys } from '../../core/animation/linear-keys.ts';
import { loopClip } from '../../core/animation/loop-clip.ts';
import { mirrorClip } from '../../core/animation/mirror-clip.ts';
import { reduceKeys } from '../../core/animation/reduce-keys.ts';
import { unionTimes } from '../../core/animation/resample.ts';
import { EXACT_TOLERANCE, LINEAR_TOLERANCE } from '../../core/animation/resample-tolerance.ts';
import type { AssetClip, AssetSkeleton, MorphTrack } from '../../core/asset/asset.ts';
import {
  changeAssetClipSpeed,
  cleanAssetClip,
  findFirstPose,
  reduceMorphTrack,
  trimAssetClip,
} from '../../core/asset/edit-asset-clip.ts';
import { fitGround } from '../../core/contacts/plants/fit-ground.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { mirrorHumanoid } from '../../core/humanoid/mirror-humanoid.ts';
import { findRootMotionNode } from '../../core/humanoid/root-motion-node.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { findRootBone } from '../../core/root-motion/root-bone.ts';
import type { Skeleton } from '../../core/skeleton/skeleton.ts';
import { skeletonSize } from '../../core/skeleton/skeleton-size.ts';
import { OptionError } from '../option-error.ts';
import type { OutputKeys } from '../outputs/output-format.ts';
import type { ClipEdits } from './clip-edits.ts';

/** What the keys of a result depend on. */
interface KeySource {
  /** The motion that the result was made from, trimmed and at its new speed. */
  readonly motion: Clip;
  /** Keys per second of a result that was resampled; undefined for the keys of the motion. */
  readonly fps: number | undefined;
  readonly keys: OutputKeys;
}

/**
 * Gives a result few LINEAR keys, within 0.1° of a rotation, 0.2° of a world rotation and 1e-4 of the height at any time. Keys of glTF and USD that were kept stay
 * as they are where the output can hold them. Outputs with a value per frame are sampled from the exact motion; outputs
 * with curves follow it.
 *
 * @param humanoid The skeleton as a humanoid; null for other skeletons.
 */
function withMotionKeys(
  skeleton: Skeleton,
  humanoid: Humanoid | null,
  clip: Clip,
  { motion, fps, keys }: KeySource,
  { keys: wanted = 'linear' }: ClipEdits,
): Clip {
  if (fps !== undefined || clip.tracks.length === 0) return clip;
  // Curves of a file start from its own keys, wherever they are; the others are those that a frame rate fits.
  const frames = keys === 'curves' && motion.keyTimes !== undefined ? motion.keyTimes : frameKeysOf(motion);
  const timed = frames === null ? clip : { ...clip, keyTimes: frames };
  if (wanted === 'exact' || keys === 'frames' || keys === 'curves') return timed;
  // Readers of FBX and BVH make the keys themselves, and recordings have one in every frame.
  const isBaked = motion.keyTimes !== undefined;
  // Frames of a BVH that is not retargeted are data, of which only what lies between others is left out.
  const isConverted = clip === motion && clip.tracks.every(({ interpolation }) => interpolation === 'LINEAR');
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

/** Runs an edit, and reports its RangeError as an error of the option. */
function withOption<T>(option: string, clip: AssetClip, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OptionError(option, `Clip ${JSON.stringify(clip.name)}: ${error.message}`);
  }
}

/** An animation with the edits that concern the motion itself. */
export interface EditedMotion {
  readonly clip: AssetClip;
  /** What cleaning changed, per skeleton; empty without it. */
  readonly cleaned: readonly CleanReport[];
}

/**
 * Trims a clip, cleans it and changes its speed.
 *
 * @throws OptionError (`trim`, `speed`) for a range outside of the clip, or a speed that leaves no duration.
 */
export function editMotion(
  skeletons: readonly AssetSkeleton[],
  clip: AssetClip,
  { trim, skipFirstPose, clean, speed }: ClipEdits,
): EditedMotion {
  let edited = clip;
  let cleaned: readonly CleanReport[] = [];
  const pose = skipFirstPose === true ? findFirstPose(clip) : null;
  const from = pose === null ? trim?.from : Math.max(pose.end, trim?.from ?? 0);
  if (from !== undefined || trim !== undefined)
    edited = withOption('trim', clip, () => trimAssetClip(edited, from, trim?.to));
  // Noise and spikes are told from movement by their speed, so the speed changes after this.
  if (clean === true) ({ clip: edited, reports: cleaned } = cleanAssetClip(skeletons, edited));
  if (speed !== undefined) edited = withOption('speed', clip, () => changeAssetClipSpeed(edited, speed));
  return { clip: edited, cleaned };
}

/** Mirrors the humanoid of a motion if the edits say so. */
export function applyMirrorToHumanoid(humanoid: Humanoid, { mirror }: ClipEdits): Humanoid {
  return mirror === true ? mirrorHumanoid(humanoid) : humanoid;
}

/** Mirrors a clip if the edits say so. */
export function applyMirrorToClip(clip: Clip, { mirror }: ClipEdits): Clip {
  return mirror === true ? mirrorClip(clip) : clip;
}

/** Puts a clip on the ground if the edits say so. */
export function applyGround(
  humanoid: Humanoid,
  surface: () => ContactSurface,
  clip: Clip,
  { ground }: ClipEdits,
): Clip {
  return ground === 'fit' && clip.tracks.length > 0 ? fitGround(humanoid, surface(), clip).clip : clip;
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
export function applyLoop(skeleton: Skeleton, humanoid: Humanoid | null, clip: Clip, { loop }: ClipEdits): Clip {
  if (loop !== true) return clip;
  return loopClip(skeleton, clip, humanoid === null ? undefined : findRootMotionNode(humanoid));
}

/** Chooses the keys of a clip (see `withMotionKeys`), and reduces them, if the edits say so. `source` is what the keys depend on. */
export function chooseKeys(
  skeleton: Skeleton,
  humanoid: Humanoid | null,
  clip: Clip,
  edits: ClipEdits,
  source: KeySource,
): Clip {
  const keyed = withMotionKeys(skeleton, humanoid, clip, source, edits);
  return edits.reduce === undefined ? keyed : reduceKeys(skeleton, keyed, edits.reduce);
}

/** Removes the keys of morph weights that lie on a line between their neighbors, if the edits say so. */
export function reduceMorphTracks(morphs: readonly MorphTrack[], { reduce }: ClipEdits): readonly MorphTrack[] {
  return reduce === undefined ? morphs : morphs.map(reduceMorphTrack);
}
