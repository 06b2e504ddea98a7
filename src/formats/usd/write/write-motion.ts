/** A new layer that holds a skeleton with clips and nothing that is seen. */
import type { Clip } from '../../../core/animation/clip.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { localToModelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';
import type { Layer } from '../layer/layer.ts';
import { sizeOf } from './character-animations.ts';
import { type LinearAnimation, linearAnimation } from './linear-animation.ts';
import { makeStageLayer } from './stage-layer.ts';
import { timeCodesPerSecond } from './time-codes.ts';
import type { UsdSpace } from './usd-animation.ts';
import { writeMotions } from './write-motions.ts';
import { addSkeleton, jointTokens } from './write-skeleton.ts';

/**
 * A layer with a SkelRoot, called `name`, and below it one Skeleton of which all nodes of a skeleton are joints, in its axes and unit, with a
 * SkelAnimation for each clip; the first is bound. Its bind pose is that of the skeleton, without one the rest pose. Clips that move nothing are left
 * out (CLIP_EMPTY).
 */
export function writeMotionLayer(
  skeleton: Skeleton,
  clips: readonly Clip[],
  space: UsdSpace,
  name: string,
  issues: Issue[],
): Layer {
  const { names, parents, rest } = skeleton;
  const nodes = Int32Array.from(parents, (_, node) => node);
  const animations = clips.map((clip) => ({ name: clip.name, clip, sourceNodes: nodes }));
  const size = sizeOf(skeleton);
  const linear = animations.flatMap((animation): LinearAnimation[] => {
    if (animation.clip.tracks.length > 0) return [linearAnimation(animation, (node) => node, size).animation];
    issues.push(issue('CLIP_EMPTY', `The clip ${JSON.stringify(animation.name)} moves nothing; it was left out`));
    return [];
  });
  const codes = { origin: 0, perSecond: timeCodesPerSecond(animations) };
  const { layer, root } = makeStageLayer(space, name, 'SkelRoot', codes, linear);
  const worlds = new Float64Array(MATRIX_STRIDE * parents.length);
  localToModelMatrices(worlds, parents, rest);
  const tokens = jointTokens(names, parents);
  const path = addSkeleton(layer, root, 'Skeleton', { tokens, names, rest, bind: skeleton.bind ?? worlds });
  const morphs = { channels: [], taken: new Set<string>() };
  writeMotions(layer, [{ path, tokens, parents, nodes, rest, morphs }], linear, codes);
  return layer;
}
