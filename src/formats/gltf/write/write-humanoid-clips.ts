/** Writes humanoid clips. EXT_skeleton_humanoid, "Animation definition". */
import type { NewAnimation } from '../../../core/asset/asset.ts';
import type { HumanoidClip } from '../../../core/humanoid/humanoid-clip.ts';
import { createDocument, type GltfDocument } from '../document/document.ts';
import { appendClips } from './write-clips.ts';

/**
 * Appends humanoid clips as animations. Their channels target bones instead of nodes, each with its own sampler; equal key times are stored once. The
 * hips height is written to the `extras` of the animation: `restHipsHeight`, with `unit` `meter`. Otherwise only
 * `extensionsUsed` changes.
 *
 * @param doc Document; edited.
 * @param clips Humanoid clips.
 * @returns Indices of the animations.
 * @throws RangeError As `appendClips`, and for a track of an unknown bone.
 */
export function addHumanoidAnimations(
  doc: GltfDocument,
  clips: readonly (HumanoidClip & Pick<NewAnimation, 'extras'>)[],
): number[] {
  const animations = clips.map(({ extras, ...humanoid }) => {
    const { name, duration } = humanoid;
    return {
      name,
      clip: { name, duration, tracks: [] },
      sourceNodes: [],
      humanoid,
      extras,
    };
  });
  return [...appendClips(doc, animations).animations];
}

/**
 * Creates a clip library: a document with humanoid clips and without nodes and meshes.
 *
 * @param clips Humanoid clips.
 * @returns New document.
 * @throws RangeError As {@link addHumanoidAnimations}.
 */
export function writeHumanoidClips(clips: readonly (HumanoidClip & Pick<NewAnimation, 'extras'>)[]): GltfDocument {
  const doc = createDocument();
  addHumanoidAnimations(doc, clips);
  return doc;
}
