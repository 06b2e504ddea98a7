import { describe, expect, it } from 'vitest';
import { parentsFromPaths } from '../../../../src/core/skeleton/topology.ts';
import { defineSkeleton, readSkeleton } from '../../../../src/formats/usd/skel/skeleton-definition.ts';
import { messagesOf, stageOf } from './scene.ts';

const at = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

describe('testUsdSkelTopology', () => {
  it('has these parents, in any order of joints', () => {
    const joints = [
      'A',
      'A/B/C',
      'A/B',
      'Nested/Without/Parent/Joint',
      'D',
      'D/E/F/G',
      '/A/B/C',
      '/A/B',
      '/A',
      '',
      '/',
      '..',
    ];
    expect([...parentsFromPaths(joints)]).toEqual([-1, 2, 0, -1, -1, 4, 7, 8, -1, -1, -1, -1]);
  });

  it('is valid with parents first only', () => {
    const poses = (count: number): number[] => Array.from({ length: count }, () => at(0, 0, 0)).flat();
    const valid = defineSkeleton(['A', 'A/B', 'A/B/C', 'D', 'D/E'], poses(5), poses(5));
    expect(valid.reasons).toEqual([]);
    expect([...(valid.definition?.parents ?? [])]).toEqual([-1, 0, 1, -1, 3]);
    const { definition, reasons } = defineSkeleton(['A/B', 'C', 'A'], poses(3), poses(3));
    expect(definition).toBeNull();
    expect(reasons).toEqual(['joint 0 (A/B) comes before its parent 2; sort parents first']);
  });
});

describe('defineSkeleton', () => {
  it('has its poses and the inverse bind pose', () => {
    const { definition, reasons } = defineSkeleton(['A'], at(1, 2, 3), at(4, 5, 6));
    expect(reasons).toEqual([]);
    expect([...(definition?.bind ?? [])]).toEqual(at(1, 2, 3));
    expect([...(definition?.inverseBind ?? [])].slice(12)).toEqual([-1, -2, -3, 1]);
    expect([...(definition?.rest ?? [])]).toEqual(at(4, 5, 6));
  });

  it('drops a pose without one matrix per joint and never derives one from the other', () => {
    const { definition, reasons } = defineSkeleton(['A', 'A/B'], at(0, 0, 0), []);
    expect([definition?.bind, definition?.inverseBind, definition?.rest]).toEqual([null, null, null]);
    expect(reasons).toEqual([
      'bindTransforms has 1 matrices for 2 joints; author one per joint',
      'restTransforms has 0 matrices for 2 joints; author one per joint',
    ]);
  });

  it('is valid without joints, with both poses', () => {
    const { definition, reasons } = defineSkeleton([], [], []);
    expect([definition?.bind?.length, definition?.rest?.length, reasons.length]).toEqual([0, 0, 0]);
  });

  it('uses the identity as the inverse of a singular bind matrix', () => {
    const { definition, reasons } = defineSkeleton(['A'], Array(16).fill(0), at(0, 0, 0));
    expect([...(definition?.inverseBind ?? [])]).toEqual(at(0, 0, 0));
    expect(reasons).toEqual(['the bind matrix of A has no inverse; the identity was used']);
  });

  it('readSkeleton: reports invalid joints', () => {
    const stage = stageOf('def Skeleton "S" {\n uniform token[] joints = ["A/B", "A"]\n}');
    const { definition, issues } = readSkeleton(stage, '/S');
    expect(definition).toBeNull();
    expect(messagesOf(issues)).toEqual([
      'Skeleton /S: joint 0 (A/B) comes before its parent 1; sort parents first. Its bindings are ignored.',
    ]);
  });
});
