/** Humanoid clips in a document: EXT_skeleton_humanoid, "Animation definition". */
import type { HumanoidClip } from '../../core/humanoid/humanoid-clip.ts';
import { createDocument, type GltfDocument } from './document.ts';
import { appendClips } from './write-clips.ts';

/**
 * Appends a humanoid clip as an animation and gives its index. Its channels name bones and no nodes, each with a sampler of its own; nothing
 * else of the file changes but `extensionsUsed`. The height of the hips stands in the `extras` of the animation: `restHipsHeight`, in the `unit`
 * `meter`. RangeError as with `appendClips`, and for a track of no bone.
 */
export function addHumanoidAnimation(doc: GltfDocument, clip: HumanoidClip): number {
  return addHumanoidAnimations(doc, [clip])[0];
}

/** Same as {@link addHumanoidAnimation} for several, which store equal key times once. */
export function addHumanoidAnimations(doc: GltfDocument, clips: readonly HumanoidClip[]): number[] {
  const animations = clips.map((humanoid) => {
    const { name, duration } = humanoid;
    return { name, clip: { name, duration, tracks: [] }, sourceNodes: [], humanoid };
  });
  return appendClips(doc, animations, []);
}

/** A library of clips: a new document with humanoid clips and nothing else, no node, no mesh. RangeError as with {@link addHumanoidAnimation}. */
export function writeHumanoidClips(clips: readonly HumanoidClip[]): GltfDocument {
  const doc = createDocument();
  addHumanoidAnimations(doc, clips);
  return doc;
}
