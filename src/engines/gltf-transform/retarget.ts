import type { Accessor, Animation, Document, Node, Transform } from '@gltf-transform/core';
import { type Clip, lastKeyTime, type Track } from '../../core/animation/clip.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import { createCanonicalRig } from '../../core/humanoid/canonical-rig.ts';
import { fromHumanoidClip } from '../../core/humanoid/humanoid-clip.ts';
import type { Floats } from '../../core/math/floats.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { describeCanonicalRig } from '../../core/retarget/extract-clip.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import type { ClipOptions } from '../../core/retarget/retarget-clip.ts';
import { type HumanoidMotion, type MotionContactOptions, retargetMotion } from '../scene/retarget-motion.ts';
import { clipForSkeleton } from '../scene/scene-graph.ts';
import { isSkeletonHumanoid } from './ext-skeleton-humanoid.ts';
import { type DocumentHumanoidOptions, findDocumentHumanoid } from './find-document-humanoid.ts';
import { type DocumentMotion, readAnimation } from './read-animation.ts';
import { readDocument } from './read-document.ts';
import { reportIssues } from './report.ts';

/**
 * Adds a clip to a document as a new animation. Times and values become float accessors in the first buffer, which is created when the document has
 * none. Tracks with the same array of key times share an accessor.
 */
function writeAnimation(document: Document, clip: Clip, nodes: readonly Node[]): Animation {
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  const inputs = new Map<Floats, Accessor>();
  const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4', values: Floats): Accessor =>
    document.createAccessor().setType(type).setArray(Float32Array.from(values)).setBuffer(buffer);
  const animation = document.createAnimation(clip.name);
  for (const { target, path, interpolation, times, values } of clip.tracks) {
    const input = inputs.get(times) ?? accessor('SCALAR', times);
    inputs.set(times, input);
    const sampler = document
      .createAnimationSampler()
      .setInput(input)
      .setOutput(accessor(path === 'rotation' ? 'VEC4' : 'VEC3', values))
      .setInterpolation(interpolation);
    const channel = document
      .createAnimationChannel()
      .setTargetNode(nodes[target])
      .setTargetPath(path)
      .setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
  }
  return animation;
}

/** Options of {@link retarget}. */
interface RetargetTransformOptions extends RetargetOptions, Pick<ClipOptions, 'fps'>, MotionContactOptions {
  /** Selects animations of the source by name and index; all by default. */
  readonly clips?: (name: string, index: number) => boolean;
  /** Facts about the character that has the motion. */
  readonly source?: DocumentHumanoidOptions;
  /** Facts about the character that receives the motion. */
  readonly target?: DocumentHumanoidOptions;
  /** Receives each issue. By default, issues go to the logger of the document. */
  readonly onIssue?: (issue: Issue) => void;
}

type SourceMotion = HumanoidMotion & Pick<DocumentMotion, 'issues'>;

/** Returns the rest height of the hips from the extras of an animation with humanoid channels; null when it is missing or invalid. */
function restHipsHeight(animation: Animation): number | null {
  const height: unknown = animation.getExtras()['restHipsHeight'];
  return typeof height === 'number' && height > 0 && Number.isFinite(height) ? height : null;
}

/** Converts humanoid channels to a motion of a canonical rig. */
function toCanonicalMotion(animation: Animation, { bones, others, issues }: DocumentMotion): SourceMotion {
  const height = restHipsHeight(animation);
  const rig = createCanonicalRig(
    bones.map(({ bone }) => BONE[bone]),
    height,
  );
  const tracks = bones.map(({ bone, track }): Track => ({ ...track, target: BONE[bone] }));
  const clip = { name: animation.getName(), duration: lastKeyTime(tracks), tracks, restHipsHeight: height };
  return { humanoid: describeCanonicalRig(rig), clip: fromHumanoidClip(rig, clip), others, issues };
}

/** Throws a RangeError for an animation that lost its humanoid channels, because the file was read without EXT_skeleton_humanoid. */
function checkHasTargets(source: Document, { clip, others }: DocumentMotion): void {
  const lost = others.get('missing targets') ?? 0;
  const extensions = source.getRoot().listExtensionsUsed();
  if (clip.tracks.length > 0 || lost === 0 || extensions.some(isSkeletonHumanoid)) return;
  throw new RangeError(
    `${lost} channels of the animation ${JSON.stringify(clip.name)} have no target node, and none has one. If they target humanoid bones, register the extension before reading the file: new NodeIO().registerExtensions([EXTSkeletonHumanoid]).`,
  );
}

function readMotions(source: Document, { clips, source: options = {} }: RetargetTransformOptions): SourceMotion[] {
  const animations = source
    .getRoot()
    .listAnimations()
    .filter((animation, index) => clips?.(animation.getName(), index) ?? true);
  const { indexOf } = readDocument(source);
  const motions = animations.map((animation) => ({ animation, motion: readAnimation(animation, indexOf) }));
  const plain = motions.find(({ motion }) => motion.bones.length === 0);
  if (plain !== undefined) checkHasTargets(source, plain.motion);
  // The first motion determines one reference pose for the whole document.
  const character = plain === undefined ? null : findDocumentHumanoid(source, options, plain.motion.clip);
  return motions.map(({ animation, motion }): SourceMotion => {
    if (motion.bones.length > 0 || character === null) return toCanonicalMotion(animation, motion);
    const { humanoid, sourceNodes, describeSurface } = character;
    const issues = motion === plain?.motion ? [...character.issues, ...motion.issues] : motion.issues;
    return {
      humanoid,
      clip: clipForSkeleton(motion.clip, sourceNodes),
      others: motion.others,
      describeSurface,
      issues,
    };
  });
}

/**
 * Creates a transform that retargets the animations of another document to the character of this one and adds them. Bone maps, reference poses, facing
 * and hips scale are detected, or taken from EXT_skeleton_humanoid. Animations with humanoid channels work too. The rest of the document and the source
 * stay unchanged.
 *
 * Files with EXT_skeleton_humanoid are read and written completely only by an IO with {@link EXTSkeletonHumanoid} registered.
 *
 * The transform throws a RangeError when either document has no humanoid, or several and none is selected, when the animations lost their humanoid
 * channels because the extension was not registered, and for an invalid option.
 *
 * @param source The document with the animations.
 * @param options Facts about both characters, retargeting options and a listener for issues.
 * @returns The transform.
 * @example
 * // import { ALL_EXTENSIONS } from '@gltf-transform/extensions'
 * const io = new NodeIO().registerExtensions([...ALL_EXTENSIONS, EXTSkeletonHumanoid]);
 * const character = await io.read('hero.glb');
 * await character.transform(retarget(await io.read('walk.glb')));
 */
export function retarget(source: Document, options: RetargetTransformOptions = {}): Transform {
  return (document) => {
    const { clips: _clips, source: _source, target = {}, onIssue, ...channels } = options;
    const character = findDocumentHumanoid(document, target, null);
    const issues: Issue[] = [...character.issues];
    const motions = readMotions(source, options);
    if (motions.length === 0) {
      issues.push(
        issue('CLIP_EMPTY', 'The source has no selected animation; nothing was added. Check the option clips'),
      );
    }
    for (const motion of motions) {
      const { clip, issues: found } = retargetMotion(motion, character, channels);
      issues.push(...motion.issues, ...found);
      if (clip.tracks.length === 0) {
        const name = JSON.stringify(motion.clip.name);
        issues.push(issue('CLIP_EMPTY', `The animation ${name} animates no bone of the character; it was skipped`));
      } else writeAnimation(document, clip, character.nodes);
    }
    reportIssues(document, issues, onIssue);
  };
}
