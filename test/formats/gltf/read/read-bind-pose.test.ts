import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { IS_FULL_RUN } from '../../../support/law-runs.ts';
import { expectNear } from '../../../support/near.ts';
import { EXACT } from '../../../support/tolerances.ts';
import { codesOf, moved, smallFile, vectors } from '../small-file.ts';

/** rig › hips at y 1 › spine at y 1.5 › head at y 2. */
const TURNS = [
  [0, 0, Math.sin(0.3), Math.cos(0.3)],
  [Math.sin(0.4), 0, 0, Math.cos(0.4)],
  [0, Math.sin(-0.5), 0, Math.cos(-0.5)],
];
const NODES: JsonObject[] = [
  { name: 'rig', children: [1] },
  { name: 'hips', translation: [0, 1, 0], children: [2] },
  { name: 'spine', translation: [0, 0.5, 0], children: [3] },
  { name: 'head', translation: [0, 0.5, 0] },
];
/** The same skeleton with a different rotation of every joint. */
const POSED: JsonObject[] = NODES.map((node, i) => (i === 0 ? node : { ...node, rotation: TURNS[i - 1] }));
const BOUND = [moved(0, -1, 0), moved(0, -1.5, 0), moved(0, -2, 0)];

function read(matrices: number[][], skin: JsonObject = {}, nodes = NODES, more: JsonObject[] = []) {
  const skins = [{ joints: [1, 2, 3], inverseBindMatrices: 0, ...skin }, ...more];
  const asset = readGltf(smallFile({ nodes, skins }, [vectors('MAT4', ...matrices.flat())]));
  const bind = asset.skeletons[0].skeleton.bind;
  return { bind, positions: bind === null ? null : positionsOf(bind), issues: asset.issues };
}

function positionsOf(matrices: ArrayLike<number>): number[][] {
  return Array.from({ length: matrices.length / 16 }, (_, i) => [12, 13, 14].map((c) => matrices[i * 16 + c]));
}

function messages(issues: readonly Issue[]): string {
  return issues.map(({ message }) => message).join('\n');
}

describe('readBindPose', () => {
  it('returns the bind pose in model space', () => {
    const { positions, issues } = read(BOUND);
    expect(positions).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [0, 1.5, 0],
      [0, 2, 0],
    ]);
    expect(issues).toEqual([]);
  });

  it('keeps a bind pose that differs from the rest pose', () => {
    expect(read(BOUND, {}, POSED).positions).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [0, 1.5, 0],
      [0, 2, 0],
    ]);
  });

  it('treats a common rotation of bind and rest pose as part of the bind pose', () => {
    const turned = NODES.map((node, i) => (i === 1 ? { ...node, rotation: TURNS[0] } : node));
    const { bind } = read(BOUND, {}, turned);
    expect(bind?.[53]).toBeCloseTo(Math.cos(0.6), 6);
  });

  it('removes the space of the mesh node, also in a posed file', () => {
    // The mesh is in centimeters and 3 m aside: IBM = inv(W_bind) · W_mesh.
    const inMesh = BOUND.map((matrix) => matrix.map((value, c) => (c % 5 === 0 && c < 15 ? value / 100 : value)));
    for (const matrix of inMesh) matrix[12] += 3;
    const posed: JsonObject[] = [...POSED, { mesh: 0, skin: 0, translation: [3, 0, 0], scale: [0.01, 0.01, 0.01] }];
    const { bind } = read(inMesh, {}, posed);
    expectNear([...(bind ?? [])].slice(16, 32), moved(0, 1, 0), 1e-6);
    expectNear([...(bind ?? [])].slice(48), moved(0, 2, 0), 1e-6);
  });

  it('keeps the rest pose of unbound nodes relative to their parent', () => {
    const { positions } = read([BOUND[0], BOUND[1]], { joints: [1, 2] });
    expect(positions?.[3]).toEqual([0, 2, 0]);
    const raised = read([moved(0, -1, 0), moved(0, -1.75, 0)], { joints: [1, 2] });
    expect(raised.positions?.[3]).toEqual([0, 2.25, 0]);
  });

  it('returns no bind pose without matrices, and reports it where a mesh uses the skin', () => {
    const skins = [{ joints: [1, 2, 3] }];
    expect(readGltf(smallFile({ nodes: NODES, skins }))).toMatchObject({
      issues: [],
      skeletons: [{ skeleton: { bind: null } }],
    });
    const nodes = NODES.map((node, k) => (k === 0 ? { ...node, skin: 0 } : node));
    const { skeletons, issues } = readGltf(smallFile({ nodes, skins }));
    expect(skeletons[0].skeleton.bind).toBeNull();
    expect(codesOf(issues)).toEqual(['GLTF_SKIN']);
    expect(messages(issues)).toContain('no inverse bind matrices');
  });

  it('treats identity matrices as unset', () => {
    const identity = moved(0, 0, 0);
    const all = read([identity, identity, identity]);
    expect(all.bind).toBeNull();
    expect(messages(all.issues)).toContain('binds a joint, so it has no bind pose');
    // If only some are identities, these joints follow their parents.
    const some = read([BOUND[0], identity, identity]);
    expect(some.positions?.[3]).toEqual([0, 2, 0]);
    expect(some.issues).toEqual([]);
  });

  it.each([
    ['singular', [...moved(0, -2, 0).slice(0, 10), 0, ...moved(0, -2, 0).slice(11)]],
    ['not a number', moved(0, Number.NaN, 0)],
    ['infinite', moved(Number.POSITIVE_INFINITY, 0, 0)],
    ['mirrored', moved(0, -2, 0).map((value, c) => (c === 0 ? -value : value))],
  ])('uses the rest pose for a joint whose matrix is %s', (_, matrix) => {
    const { positions, issues } = read([BOUND[0], BOUND[1], matrix]);
    expect(positions?.[3]).toEqual([0, 2, 0]);
    expect(codesOf(issues)).toEqual(['GLTF_SKIN']);
  });

  it('accepts a mirrored mesh', () => {
    const mirrored = BOUND.map((matrix) => matrix.map((value, c) => (c === 0 ? -value : value)));
    const { positions, issues } = read(mirrored);
    expect(positions?.[3]).toEqual([0, 2, 0]);
    expect(issues).toEqual([]);
  });

  it('uses the rest pose for joints without a matrix', () => {
    const { positions, issues } = read([BOUND[0], BOUND[1]]);
    expect(positions?.[3]).toEqual([0, 2, 0]);
    expect(messages(issues)).toContain('2 inverse bind matrices for 3 joints');
  });

  it('assigns matrices correctly if a joint is repeated', () => {
    const { positions, issues } = read([BOUND[0], BOUND[0], BOUND[1], BOUND[2]], { joints: [1, 1, 2, 3] });
    expect(positions?.slice(1)).toEqual([
      [0, 1, 0],
      [0, 1.5, 0],
      [0, 2, 0],
    ]);
    expect(messages(issues)).toContain('more than once');
  });

  it('solves the space of a second skin from the joints that it shares with a larger one', () => {
    // The rest pose is posed, so only the shared joint reveals that the second mesh is 5 m aside.
    const nodes: JsonObject[] = [...POSED, { name: 'hat' }];
    nodes[3] = { ...nodes[3], children: [4] };
    const aside = (y: number): number[] => moved(5, y, 0);
    const skins = [
      { joints: [1, 2, 3], inverseBindMatrices: 0 },
      { joints: [3, 4], inverseBindMatrices: 1 },
    ];
    const accessors = [vectors('MAT4', ...BOUND.flat()), vectors('MAT4', ...aside(-2), ...aside(-2.25))];
    const { skeletons, issues } = readGltf(smallFile({ nodes, skins }, accessors));
    expectNear(Array.from(skeletons[0].skeleton.bind ?? []).slice(64), moved(0, 2.25, 0), EXACT);
    expect(issues).toEqual([]);
  });

  it('uses and reports the larger of two contradicting skins', () => {
    const skins = [
      { joints: [1, 2], inverseBindMatrices: 1 },
      { joints: [1, 2, 3], inverseBindMatrices: 0 },
    ];
    const apart = vectors('MAT4', ...moved(0, -1, 0), ...moved(0, -4, 0));
    const { skeletons, issues } = readGltf(
      smallFile({ nodes: NODES, skins }, [vectors('MAT4', ...BOUND.flat()), apart]),
    );
    expect(positionsOf(skeletons[0].skeleton.bind ?? [])[2]).toEqual([0, 1.5, 0]);
    expect(codesOf(issues)).toContain('GLTF_SKIN');
    expect(messages(issues)).toContain('differently');
  });

  it('reports matrices without a common bind-shape factor', () => {
    const scattered = [moved(0, -1, 9), moved(7, -30, 0), moved(-40, -2, 3)];
    expect(codesOf(read(scattered).issues)).toEqual(['BIND_SHAPE_UNSOLVED']);
  });

  it('reports joints in several trees', () => {
    const { issues } = read(BOUND, { joints: [1, 2, 4] }, [...NODES, { name: 'foot' }]);
    expect(messages(issues)).toContain('several node trees');
  });

  it('ignores skins without joints', () => {
    const { issues, positions } = read(BOUND, {}, NODES, [{ joints: [] }]);
    expect(messages(issues)).toContain('no joints');
    expect(positions).toHaveLength(4);
  });

  it.runIf(IS_FULL_RUN)('reads skins with many joints in a deep chain quickly', () => {
    const count = 20_000;
    const nodes = Array.from({ length: count }, (_, i) =>
      i + 1 < count ? { children: [i + 1], translation: [0, 0.01, 0] } : {},
    );
    const skins = Array.from({ length: 20 }, (_, k) => {
      const joints = nodes.map((_node, i) => i).filter((i) => i % 20 === k);
      return { joints, inverseBindMatrices: k };
    });
    const accessors = skins.map(({ joints }) => vectors('MAT4', ...joints.flatMap((i) => moved(0, -0.01 * i, 0))));
    const spent = cpuTimer();
    const { skeletons } = readGltf(smallFile({ nodes, skins }, accessors));
    expect(skeletons).toHaveLength(1);
    expect(spent()).toBeLessThan(5000);
  });
});
