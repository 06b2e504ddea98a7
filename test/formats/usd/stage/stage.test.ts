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

it('finds prims by path', () => {
  expect(primAt(stage, '/A/B/C')?.name).toBe('C');
  expect([primAt(stage, '/X'), primAt(stage, '/')]).toEqual([null, null]);
});

it('goes down to children and up to ancestors', () => {
  expect(childrenOf(stage, '/A/B').map(({ path }) => path)).toEqual(['/A/B/C']);
  expect(childrenOf(stage, '/nowhere')).toEqual([]);
  expect(primAndAncestors(stage, '/A/B/C').map(({ name }) => name)).toEqual(['C', 'B', 'A']);
});

it('calls prims usable that are active and no classes', () => {
  expect(stage.prims.filter(isUsable).map(({ name }) => name)).toEqual(['A', 'B', 'C']);
});

it('has one path for a prim of all instances: that in the first', () => {
  const instances = stageOf(`
    class "P" { def Mesh "M" {} }
    def "A" (instanceable = true
      references = </P>) {}
    def "B" (instanceable = true
      references = </P>) {}`);
  const paths = ['/A/M', '/B/M', '/P/M', '/None'].map((path) => prototypePath(instances, path));
  expect(paths).toEqual(['/A/M', '/A/M', '/P/M', '/None']);
});
