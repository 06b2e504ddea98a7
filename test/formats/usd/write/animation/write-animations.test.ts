import { describe, expect, it } from 'vitest';
import { definePrim, makeLayer } from '../../../../../src/formats/usd/author/author-prims.ts';
import { timeSamplesOf } from '../../../../../src/formats/usd/stage/attribute-values.ts';
import { openStage } from '../../../../../src/formats/usd/stage/open-stage.ts';
import { targetsOf } from '../../../../../src/formats/usd/stage/relationship-targets.ts';
import { primAt } from '../../../../../src/formats/usd/stage/stage.ts';
import {
  type LinearAnimation,
  linearAnimation,
} from '../../../../../src/formats/usd/write/animation/linear-animation.ts';
import {
  type WrittenSkeleton,
  writeAnimations,
} from '../../../../../src/formats/usd/write/animation/write-animations.ts';
import type { MorphChannel } from '../../../../../src/formats/usd/write/meshes/morph-channels.ts';
import { animation, geometryOf, track } from '../small-geometry.ts';

function skeletonOf(path: string, nodes: number[], channels: MorphChannel[] = []): WrittenSkeleton {
  const rest = nodes.flatMap(() => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
  const tokens = nodes.map((node) => `j${node}`);
  return { path, tokens, parents: nodes.map(() => -1), nodes, rest, morphs: { channels, taken: new Set() } };
}

/** A clip that animates nodes. */
function clip(name: string, ...nodes: number[]): LinearAnimation {
  const tracks = nodes.map((node) => track(node, 'translation', [0, 1], [0, 0, 0, 1, 0, 0]));
  const { nodes: all } = geometryOf([['root', -1]]);
  return linearAnimation(animation(name, tracks), (source) => source - 10, all, 1).animation;
}

/** Writes animations; returns those below each Skeleton and the bound one. */
function written(skeletons: WrittenSkeleton[], clips: LinearAnimation[]) {
  const layer = makeLayer({});
  for (const { path } of skeletons) definePrim(layer, path, 'Skeleton');
  writeAnimations(layer, skeletons, clips, { origin: 0, perSecond: 1 });
  const stage = openStage(layer);
  const found = skeletons.map(({ path }) => ({
    animations: primAt(stage, path)?.children,
    bound: targetsOf(stage, path, 'skel:animationSource')?.[0] ?? null,
  }));
  return { stage, found };
}

describe('writeAnimations', () => {
  it('adds a clip below each Skeleton that it animates, under one name, and binds the first clip', () => {
    const skeletons = [skeletonOf('/A', [0, 1]), skeletonOf('/B', [2])];
    const { found } = written(skeletons, [clip('walk', 0, 2), clip('nod', 1), clip('wave', 2)]);
    expect(found).toEqual([
      { animations: ['walk', 'nod'], bound: '/A/walk' },
      { animations: ['walk', 'wave'], bound: '/B/walk' },
    ]);
  });

  it('binds nothing if the first clip does not animate the Skeleton', () => {
    expect(written([skeletonOf('/A', [0])], [clip('walk', 7), clip('nod', 0)]).found).toEqual([
      { animations: ['nod'], bound: null },
    ]);
  });

  it('uses valid and unique names', () => {
    const { found } = written([skeletonOf('/A', [0])], [clip('run fast', 0), clip('run-fast', 0), clip('', 0)]);
    expect(found[0].animations).toEqual(['run_fast', 'run_fast_1', 'Animation']);
  });

  it('adds an animation with static blend shape weights if no clip is bound', () => {
    const smile = { token: 'smile', name: 'smile', node: 5, target: 0, targetCount: 1, weight: 0.5 };
    const { stage, found } = written([skeletonOf('/A', [0], [smile])], [clip('Weights', 7), clip('nod', 0)]);
    expect(found).toEqual([{ animations: ['nod', 'Weights_1'], bound: '/A/Weights_1' }]);
    expect(timeSamplesOf(stage, '/A/Weights_1', 'blendShapeWeights')).toHaveLength(0);
    expect(written([skeletonOf('/A', [0], [{ ...smile, weight: 0 }])], []).found).toEqual([
      { animations: [], bound: null },
    ]);
  });
});
