/** A transform of glTF-Transform: the animations of one document on the character of another. */
import type { Animation, Document, Transform } from '@gltf-transform/core';
import { lastKeyTime, type Track } from '../../core/animation/clip.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import { createCanonicalRig } from '../../core/humanoid/canonical-rig.ts';
import { fromHumanoidClip } from '../../core/humanoid/humanoid-clip.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { describeCanonicalRig } from '../../core/retarget/extract-clip.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import type { ClipOptions } from '../../core/retarget/retarget-clip.ts';
import { carryClip, type Performance } from '../scene/motion.ts';
import { clipOfSkeleton } from '../scene/scene-graph.ts';
import { type BodyOptions, bodyOfDocument } from './body-of-document.ts';
import { type DocumentMotion, readAnimation } from './read-animation.ts';
import { readDocument } from './read-document.ts';
import { reportIssues } from './report.ts';
import { writeAnimation } from './write-animation.ts';

/** How animations are brought over. */
export interface RetargetTransformOptions extends RetargetOptions, Pick<ClipOptions, 'fps'> {
  /** Which animations of the source; all by default. */
  readonly clips?: (name: string, index: number) => boolean;
  /** About the character that has the motion. */
  readonly source?: BodyOptions;
  /** About the character that gets it. */
  readonly target?: BodyOptions;
  /** Gets what was odd or not carried over; the logger of the document does otherwise. */
  readonly onIssue?: (issue: Issue) => void;
}

/** A motion and the body that it was made for. */
type Performer = Performance & Pick<DocumentMotion, 'issues'>;

/** Height of the hips that an animation of humanoid channels tells in its extras; null where it does not. */
function restHipsHeight(animation: Animation): number | null {
  const height: unknown = animation.getExtras()['restHipsHeight'];
  return typeof height === 'number' && height > 0 && Number.isFinite(height) ? height : null;
}

/** Channels of bones: the body is the portable one. */
function performanceOfBones(animation: Animation, { bones, others, issues }: DocumentMotion): Performer {
  const height = restHipsHeight(animation);
  const body = createCanonicalRig(
    bones.map(({ bone }) => BONE[bone]),
    height,
  );
  const tracks = bones.map(({ bone, track }): Track => ({ ...track, target: BONE[bone] }));
  const clip = { name: animation.getName(), duration: lastKeyTime(tracks), tracks, restHipsHeight: height };
  return { humanoid: describeCanonicalRig(body), clip: fromHumanoidClip(body, clip), others, issues };
}

/** Every wanted animation of a document with its body. */
function performances(source: Document, { clips, source: options = {} }: RetargetTransformOptions): Performer[] {
  const animations = source
    .getRoot()
    .listAnimations()
    .filter((animation, index) => clips?.(animation.getName(), index) ?? true);
  const { indexOf } = readDocument(source);
  const motions = animations.map((animation) => ({ animation, motion: readAnimation(animation, indexOf) }));
  const plain = motions.find(({ motion }) => motion.bones.length === 0);
  // One reference pose for the whole document, found with its first motion.
  const character = plain === undefined ? null : bodyOfDocument(source, options, plain.motion.clip).body;
  return motions.map(({ animation, motion }): Performer => {
    if (motion.bones.length > 0 || character === null) return performanceOfBones(animation, motion);
    const { humanoid, sourceNodes } = character;
    const issues = motion === plain?.motion ? [...character.issues, ...motion.issues] : motion.issues;
    return { humanoid, clip: clipOfSkeleton(motion.clip, sourceNodes), others: motion.others, issues };
  });
}

/**
 * A transform that adds the animations of another document to this one, on its character: bone maps, reference poses, facing and the scale of
 * the hips are found by themselves, or obeyed where EXT_skeleton_humanoid says them. Animations whose channels name bones are played too.
 * Nothing else of the document is touched, and nothing of the source.
 *
 *     await character.transform(retarget(await io.read('walk.glb')));
 *
 * The transform throws RangeError where either document has no humanoid, or several and none is chosen, and for options that make no sense.
 */
export function retarget(source: Document, options: RetargetTransformOptions = {}): Transform {
  return (document) => {
    const { clips: _clips, source: _source, target = {}, onIssue, ...carrying } = options;
    const { body } = bodyOfDocument(document, target, null);
    const issues: Issue[] = [...body.issues];
    const found = performances(source, options);
    if (found.length === 0) issues.push(issue('CLIP_EMPTY', 'The source has no animation that is wanted'));
    for (const motion of found) {
      const { clip, issues: odd } = carryClip(motion, body.humanoid, carrying);
      issues.push(...motion.issues, ...odd);
      if (clip.tracks.length === 0) {
        const name = JSON.stringify(motion.clip.name);
        issues.push(issue('CLIP_EMPTY', `${name} moves no bone that the character has; it was left out`));
      } else writeAnimation(document, clip, body.nodes);
    }
    reportIssues(document, issues, onIssue);
  };
}
