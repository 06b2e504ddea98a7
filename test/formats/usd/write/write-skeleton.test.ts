import { describe, expect, it } from 'vitest';
import { numbersOf } from '../../../../src/formats/usd/skel/stage-reading.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { targetsOf } from '../../../../src/formats/usd/stage/targets.ts';
import { attributeValue } from '../../../../src/formats/usd/stage/values.ts';
import { printUsda } from '../../../../src/formats/usd/text/print-usda.ts';
import { definePrim, makeLayer } from '../../../../src/formats/usd/write/author-prims.ts';
import { addSkeleton, bindAnimation, jointTokens } from '../../../../src/formats/usd/write/write-skeleton.ts';

describe('joints as paths', () => {
  it('have names that no two share, below their parents', () => {
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

describe('a Skeleton prim', () => {
  const rest = [0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 2, 0, 0, 0, 0, 1, 2, 2, 2];
  const bind = Float64Array.from({ length: 32 }, (_, i) => i);

  it('has the rest as local matrices, the bind pose as it is given, and the names that were given', () => {
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
    const text = printUsda(layer);
    expect(text).toContain('uniform token[] jointNames = ["a b", "c"]');
    expect(text).toContain('uniform token[] joints = ["a_b", "a_b/c"]');
    expect(text).toContain('uniform token purpose = "guide"');
    expect(text).not.toContain('SkelBindingAPI');
  });

  it('may have no joints, for blend shapes alone', () => {
    const layer = makeLayer({});
    addSkeleton(layer, '/', 'Skeleton', { tokens: [], names: [], rest: [], bind: [] });
    expect(printUsda(layer)).toContain('uniform token[] joints = []');
    expect(printUsda(layer)).not.toContain('jointNames');
  });

  it('is bound to one animation, the last that was given', () => {
    const layer = makeLayer({});
    definePrim(layer, '/S', 'Skeleton');
    bindAnimation(layer, '/S', '/S/A');
    bindAnimation(layer, '/S', '/S/B');
    expect(targetsOf(openStage(layer), '/S', 'skel:animationSource')).toEqual(['/S/B']);
    expect(printUsda(layer).match(/SkelBindingAPI/g)).toHaveLength(1);
  });
});
