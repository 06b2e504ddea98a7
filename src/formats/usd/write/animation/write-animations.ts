import { primName, unusedName } from '../../author/prim-names.ts';
import { authorEvents } from '../../event-data.ts';
import type { Layer } from '../../layer/layer.ts';
import { childPath } from '../../layer/paths.ts';
import type { TimeCodes } from '../../time-codes.ts';
import { type MorphChannels, weightSources } from '../meshes/morph-channels.ts';
import { bindAnimation } from '../skeletons/write-skeleton.ts';
import type { LinearAnimation } from './linear-animation.ts';
import { writeSkelAnimation } from './write-skel-animation.ts';

/** A Skeleton prim with its animatable joints and blend shapes. */
export interface WrittenSkeleton {
  readonly path: string;
  readonly tokens: readonly string[];
  /** Parent joint of each joint; −1 for a root. */
  readonly parents: ArrayLike<number>;
  readonly nodes: ArrayLike<number>;
  /** Local rest pose: `POSE_STRIDE` floats per joint. */
  readonly rest: ArrayLike<number>;
  readonly morphs: MorphChannels;
}

/**
 * Adds a SkelAnimation for each clip below each Skeleton that it animates, with the same name for all Skeletons, and binds the first clip. Blend shapes
 * with non-zero static weights get an animation with weights only if no clip is bound: USD stores weights in animations only. `layer` is changed in
 * place. `codes`: converts seconds to time codes.
 */
export function writeAnimations(
  layer: Layer,
  skeletons: readonly WrittenSkeleton[],
  clips: readonly LinearAnimation[],
  codes: TimeCodes,
): void {
  const taken = new Set<string>();
  const names = clips.map(({ name }) => unusedName(primName(name, 'Animation'), taken));
  const staticWeights = unusedName('Weights', taken);
  for (const { path, tokens, parents, nodes, rest, morphs } of skeletons) {
    // Channels that share a token have the same weights.
    const channels = [...new Map(morphs.channels.map((channel) => [channel.token, channel])).values()];
    const blendShapes = channels.map(({ token }) => token);
    const moves = ({ tracks, morphs: weights }: LinearAnimation): boolean =>
      Array.from(nodes).some((node) => tracks.has(node)) || channels.some(({ node }) => weights.has(node));
    clips.forEach((clip, k) => {
      if (!moves(clip)) return;
      const animation = childPath(path, names[k]);
      const tracks = Array.from(nodes, (node) => clip.tracks.get(node));
      const motion = { joints: tokens, parents, rest, tracks, blendShapes, weights: weightSources(channels, clip) };
      writeSkelAnimation(layer, animation, clip.name, { ...motion, duration: clip.duration }, codes);
      authorEvents(layer, animation, clip.events);
      if (k === 0) bindAnimation(layer, path, animation);
    });
    const isUnbound = clips.length === 0 || !moves(clips[0]);
    if (!isUnbound || channels.every(({ weight }) => weight === 0)) continue;
    const animation = childPath(path, staticWeights);
    const weights = weightSources(channels, null);
    const motion = { joints: [], parents: [], rest: [], tracks: [], blendShapes, weights, duration: 0 };
    writeSkelAnimation(layer, animation, '', motion, codes);
    bindAnimation(layer, path, animation);
  }
}
