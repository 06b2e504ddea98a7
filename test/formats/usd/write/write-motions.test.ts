import { describe, expect, it } from 'vitest';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { primAt } from '../../../../src/formats/usd/stage/stage.ts';
import { targetsOf } from '../../../../src/formats/usd/stage/targets.ts';
import { timeSamplesOf } from '../../../../src/formats/usd/stage/values.ts';
import { definePrim, makeLayer } from '../../../../src/formats/usd/write/author-prims.ts';
import { type LinearAnimation, linearAnimation } from '../../../../src/formats/usd/write/linear-animation.ts';
import type { MorphChannel } from '../../../../src/formats/usd/write/morph-channels.ts';
import { type WrittenSkeleton, writeMotions } from '../../../../src/formats/usd/write/write-motions.ts';
import { animation, track } from './small-geometry.ts';

function skeletonOf(path: string, nodes: number[], channels: MorphChannel[] = []): WrittenSkeleton {
  const rest = nodes.flatMap(() => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
  const tokens = nodes.map((node) => `j${node}`);
  return { path, tokens, parents: nodes.map(() => -1), nodes, rest, morphs: { channels, taken: new Set() } };
}

/** A clip that moves nodes. */
function clip(name: string, ...nodes: number[]): LinearAnimation {
  const tracks = nodes.map((node) => track(node, 'translation', [0, 1], [0, 0, 0, 1, 0, 0]));
  return linearAnimation(animation(name, tracks), (source) => source - 10, 1).animation;
}

/** Animations below each Skeleton, and the one that is bound. */
function written(skeletons: WrittenSkeleton[], clips: LinearAnimation[]) {
  const layer = makeLayer({});
  for (const { path } of skeletons) definePrim(layer, path, 'Skeleton');
  writeMotions(layer, skeletons, clips, { origin: 0, perSecond: 1 });
  const stage = openStage(layer);
  const found = skeletons.map(({ path }) => ({
    animations: primAt(stage, path)?.children,
    bound: targetsOf(stage, path, 'skel:animationSource')?.[0] ?? null,
  }));
  return { stage, found };
}

describe('animations of new Skeletons', () => {
  it('stand below those that they move, under one name, and the first clip is bound', () => {
    const skeletons = [skeletonOf('/A', [0, 1]), skeletonOf('/B', [2])];
    const { found } = written(skeletons, [clip('walk', 0, 2), clip('nod', 1), clip('wave', 2)]);
    expect(found).toEqual([
      { animations: ['walk', 'nod'], bound: '/A/walk' },
      { animations: ['walk', 'wave'], bound: '/B/walk' },
    ]);
  });

  it('are bound to none where the first clip leaves a Skeleton alone', () => {
    expect(written([skeletonOf('/A', [0])], [clip('walk', 7), clip('nod', 0)]).found).toEqual([
      { animations: ['nod'], bound: null },
    ]);
  });

  it('have names that USD takes, each once', () => {
    const { found } = written([skeletonOf('/A', [0])], [clip('run fast', 0), clip('run-fast', 0), clip('', 0)]);
    expect(found[0].animations).toEqual(['run_fast', 'run_fast_1', 'Animation']);
  });

  it('hold the weights that blend shapes always have, where no clip is bound', () => {
    const smile = { token: 'smile', name: 'smile', node: 5, target: 0, targetCount: 1, weight: 0.5 };
    const { stage, found } = written([skeletonOf('/A', [0], [smile])], [clip('Weights', 7), clip('nod', 0)]);
    expect(found).toEqual([{ animations: ['nod', 'Weights_1'], bound: '/A/Weights_1' }]);
    expect(timeSamplesOf(stage, '/A/Weights_1', 'blendShapeWeights')).toHaveLength(0);
    expect(written([skeletonOf('/A', [0], [{ ...smile, weight: 0 }])], []).found).toEqual([
      { animations: [], bound: null },
    ]);
  });
});
