/** The SkelAnimations of new Skeletons. */
import type { Layer } from '../layer/layer.ts';
import { childPath } from '../layer/paths.ts';
import type { LinearAnimation } from './linear-animation.ts';
import { type MorphChannels, weightSources } from './morph-channels.ts';
import { primName, unusedName } from './prim-names.ts';
import type { TimeCodes } from './time-codes.ts';
import { writeSkelAnimation } from './write-skel-animation.ts';
import { bindAnimation } from './write-skeleton.ts';

/** A Skeleton prim that is written, and what its animations have to move. */
export interface WrittenSkeleton {
  readonly path: string;
  readonly tokens: readonly string[];
  /** Parent joint of every joint; −1 for a root. */
  readonly parents: ArrayLike<number>;
  /** Node of every joint. */
  readonly nodes: ArrayLike<number>;
  /** Local: `POSE_STRIDE` floats a joint. */
  readonly rest: ArrayLike<number>;
  readonly morphs: MorphChannels;
}

/**
 * Adds a SkelAnimation below each Skeleton for each clip that moves it, of the same name for all Skeletons, and binds that of the first clip. Blend
 * shapes that have a weight by themselves need one without clips too: it has weights only.
 */
export function writeMotions(
  layer: Layer,
  skeletons: readonly WrittenSkeleton[],
  clips: readonly LinearAnimation[],
  codes: TimeCodes,
): void {
  const taken = new Set<string>();
  const names = clips.map(({ name }) => unusedName(primName(name, 'Animation'), taken));
  const ownWeights = unusedName('Weights', taken);
  for (const { path, tokens, parents, nodes, rest, morphs } of skeletons) {
    const { channels } = morphs;
    const blendShapes = channels.map(({ token }) => token);
    const moves = ({ tracks, morphs: weights }: LinearAnimation): boolean =>
      Array.from(nodes).some((node) => tracks.has(node)) || channels.some(({ node }) => weights.has(node));
    clips.forEach((clip, k) => {
      if (!moves(clip)) return;
      const animation = childPath(path, names[k]);
      const tracks = Array.from(nodes, (node) => clip.tracks.get(node));
      const motion = { joints: tokens, parents, rest, tracks, blendShapes, weights: weightSources(channels, clip) };
      writeSkelAnimation(layer, animation, clip.name, { ...motion, duration: clip.duration }, codes);
      if (k === 0) bindAnimation(layer, path, animation);
    });
    const isStill = clips.length === 0 || !moves(clips[0]);
    if (!isStill || channels.every(({ weight }) => weight === 0)) continue;
    const animation = childPath(path, ownWeights);
    const weights = weightSources(channels, null);
    const motion = { joints: [], parents: [], rest: [], tracks: [], blendShapes, weights, duration: 0 };
    writeSkelAnimation(layer, animation, '', motion, codes);
    bindAnimation(layer, path, animation);
  }
}
