import { expect, it } from 'vitest';
import {
  childrenOf,
  isUsable,
  primAndAncestors,
  primAt,
  prototypePath,
} from '../../../../src/formats/usd/stage/stage.ts';
import { stageOf } from './scene.ts';

const stage = stageOf('def "A" { def "B" { def "C" {} } }\ndef "D" (active = false) {}\nclass "E" {}');

it('primAt: finds prims by path', () => {
  expect(primAt(stage, '/A/B/C')?.name).toBe('C');
  expect([primAt(stage, '/X'), primAt(stage, '/')]).toEqual([null, null]);
});

it('childrenOf and primAndAncestors: list children and ancestors', () => {
  expect(childrenOf(stage, '/A/B').map(({ path }) => path)).toEqual(['/A/B/C']);
  expect(childrenOf(stage, '/nowhere')).toEqual([]);
  expect(primAndAncestors(stage, '/A/B/C').map(({ name }) => name)).toEqual(['C', 'B', 'A']);
});

it('isUsable: is true for active, defined prims that are not classes', () => {
  expect(stage.prims.filter(isUsable).map(({ name }) => name)).toEqual(['A', 'B', 'C']);
});

it('prototypePath: is the path in the first instance for all instances', () => {
  const instances = stageOf(`
    class "P" { def Mesh "M" {} }
    def "A" (instanceable = true
      references = </P>) {}
    def "B" (instanceable = true
      references = </P>) {}`);
  const paths = ['/A/M', '/B/M', '/P/M', '/None'].map((path) => prototypePath(instances, path));
  expect(paths).toEqual(['/A/M', '/A/M', '/P/M', '/None']);
});
