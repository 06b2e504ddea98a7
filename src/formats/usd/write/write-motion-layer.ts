import type { Clip } from '../../../core/animation/clip.ts';
import type { NewAnimation } from '../../../core/asset/asset.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { modelMatrices } from '../../../core/skeleton/pose.ts';
import type { Skeleton } from '../../../core/skeleton/skeleton.ts';
import { skeletonSize } from '../../../core/skeleton/skeleton-size.ts';
import { type LinearAnimation, linearAnimation } from './animation/linear-animation.ts';
import { writeAnimations } from './animation/write-animations.ts';
import { addSkeleton, jointTokens } from './skeletons/write-skeleton.ts';
import { makeStageLayer } from './stage-layer.ts';
import { timeCodesPerSecond } from './time-code-rate.ts';
import type { UsdSpace, WrittenLayer } from './written-layer.ts';

/**
 * Writes a skeleton with clips to a new layer, in its own axes and unit. The default prim is a SkelRoot called `name`. It contains one Skeleton, with
 * a joint for each node and a SkelAnimation for each clip; the first clip is bound. The bind pose is that of the skeleton, else its rest pose.
 *
 * @param clips Its clips. Clips without tracks are dropped.
 * @param space Axes and unit.
 * @param name Name of the default prim, any text.
 * @returns The layer, and CLIP_EMPTY issues.
 * @example
 * const space = { upAxis: 'Y', metersPerUnit: 0.01, rotation: [0, 0, 0, 1] } as const;
 * const { layer } = writeMotionLayer(skeleton, [walk], space, 'walk');
 * const bytes = new TextEncoder().encode(serializeUsda(layer));
 */
export function writeMotionLayer(
  skeleton: Skeleton,
  clips: readonly (Clip & Pick<NewAnimation, 'events'>)[],
  space: UsdSpace,
  name: string,
): WrittenLayer {
  const issues: Issue[] = [];
  const { names, parents, rest } = skeleton;
  const nodes = Int32Array.from(parents, (_, node) => node);
  const animations = clips.map(({ events, ...clip }) => ({
    name: clip.name,
    clip,
    sourceNodes: nodes,
    ...(events && { events }),
  }));
  const size = skeletonSize(skeleton);
  const linear = animations.flatMap((animation): LinearAnimation[] => {
    if (animation.clip.tracks.length > 0) return [linearAnimation(animation, (node) => node, skeleton, size).animation];
    issues.push(issue('CLIP_EMPTY', `The clip ${JSON.stringify(animation.name)} has no tracks and was dropped.`));
    return [];
  });
  const codes = { origin: 0, perSecond: timeCodesPerSecond(animations) };
  const { layer, root } = makeStageLayer(space, name, 'SkelRoot', codes, linear);
  const worlds = modelMatrices(parents, rest);
  const tokens = jointTokens(names, parents);
  const path = addSkeleton(layer, root, 'Skeleton', { tokens, names, rest, bind: skeleton.bind ?? worlds });
  const morphs = { channels: [], taken: new Set<string>() };
  writeAnimations(layer, [{ path, tokens, parents, nodes, rest, morphs }], linear, codes);
  return { layer, issues };
}
