import { describe, expect, it } from 'vitest';
import { definePrim, makeLayer } from '../../../../../src/formats/usd/author/author-prims.ts';
import { numbersOf } from '../../../../../src/formats/usd/skel/typed-values.ts';
import { attributeValue } from '../../../../../src/formats/usd/stage/attribute-values.ts';
import { openStage } from '../../../../../src/formats/usd/stage/open-stage.ts';
import { targetsOf } from '../../../../../src/formats/usd/stage/relationship-targets.ts';
import { serializeUsda } from '../../../../../src/formats/usd/text/serialize-usda.ts';
import {
  addSkeleton,
  bindAnimation,
  jointTokens,
} from '../../../../../src/formats/usd/write/skeletons/write-skeleton.ts';

describe('jointTokens', () => {
  it('creates paths with unique last elements', () => {
    const names = ['hips', 'leg', 'foot', 'leg', 'foot', '足'];
    expect(jointTokens(names, [-1, 0, 1, 0, 3, -1])).toEqual([
      'hips',
      'hips/leg',
      'hips/leg/foot',
      'hips/leg_1',
      'hips/leg_1/foot_1',
      'joint',
    ]);
  });
});

describe('addSkeleton and bindAnimation', () => {
  const rest = [0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 2, 0, 0, 0, 0, 1, 2, 2, 2];
  const bind = Float64Array.from({ length: 32 }, (_, i) => i);

  it('addSkeleton: writes local rest matrices, the bind pose and the original joint names', () => {
    const layer = makeLayer({});
    const joints = { tokens: ['a_b', 'a_b/c'], names: ['a b', 'c'], rest, bind };
    expect(addSkeleton(layer, '/', 'Skeleton', joints)).toBe('/Skeleton');
    const stage = openStage(layer);
    const numbers = (name: string): number[] => {
      return Array.from(numbersOf(attributeValue(stage, '/Skeleton', name, 'default'), 16) ?? []);
    };
    expect(numbers('bindTransforms')).toEqual([...bind]);
    expect(numbers('restTransforms').slice(0, 16)).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]);
    expect(numbers('restTransforms').slice(16)).toEqual([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 2, 0, 1]);
    const text = serializeUsda(layer);
    expect(text).toContain('uniform token[] jointNames = ["a b", "c"]');
    expect(text).toContain('uniform token[] joints = ["a_b", "a_b/c"]');
    expect(text).toContain('uniform token purpose = "guide"');
    expect(text).not.toContain('SkelBindingAPI');
  });

  it('addSkeleton: writes a Skeleton without joints for blend shapes', () => {
    const layer = makeLayer({});
    addSkeleton(layer, '/', 'Skeleton', { tokens: [], names: [], rest: [], bind: [] });
    expect(serializeUsda(layer)).toContain('uniform token[] joints = []');
    expect(serializeUsda(layer)).not.toContain('jointNames');
  });

  it('bindAnimation: replaces the bound animation', () => {
    const layer = makeLayer({});
    definePrim(layer, '/S', 'Skeleton');
    bindAnimation(layer, '/S', '/S/A');
    bindAnimation(layer, '/S', '/S/B');
    expect(targetsOf(openStage(layer), '/S', 'skel:animationSource')).toEqual(['/S/B']);
    expect(serializeUsda(layer).match(/SkelBindingAPI/g)).toHaveLength(1);
  });
});
