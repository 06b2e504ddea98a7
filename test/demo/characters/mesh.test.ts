import { describe, expect, it } from 'vitest';
import * as mat4 from '../../../src/core/math/mat4.ts';
import type { CharacterOptions, DemoCharacter } from '../../../src/demo/characters/character.ts';
import { characterMatrices } from '../../../src/demo/characters/character-pose.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { type CharacterMesh, makeMesh } from '../../../src/demo/characters/mesh.ts';
import * as rigs from '../../../src/demo/characters/rigs.ts';
import { makePose, type Pose } from '../../../src/demo/figure/pose.ts';
import { rotated, times } from '../../support/reference/plain.ts';
import { WEIGHT_SUM } from '../../support/tolerances.ts';

const SKINNED = (Object.values(rigs) as CharacterOptions[]).filter(({ skin }) => skin !== false);
const GRAY = [0.3, 0.3, 0.3] as const;

/** The vertices in a pose, canonical frame, meters: linear blend skinning as glTF has it. */
function skinned(body: DemoCharacter, mesh: CharacterMesh, pose: Pose): number[][] {
  const model = characterMatrices(body, pose);
  const inverse = new Float64Array(16);
  const moved = new Float64Array(3);
  return Array.from({ length: mesh.positions.length / 3 }, (_, vertex) => {
    const sum = [0, 0, 0];
    for (let slot = vertex * 4; slot < vertex * 4 + 4; slot++) {
      if (mesh.weights[slot] === 0) continue;
      mat4.invertAffine(inverse, 0, body.skeleton.bind!, mesh.nodes[slot] * 16);
      mat4.transformPoint(moved, 0, inverse, 0, mesh.positions, vertex * 3);
      mat4.transformPoint(moved, 0, model, mesh.nodes[slot] * 16, moved, 0);
      moved.forEach((v, c) => {
        sum[c] += v * mesh.weights[slot];
      });
    }
    return [...times(rotated(Array.from(body.frame), sum), body.metersPerUnit)];
  });
}

describe.each(SKINNED.map((rig) => [rig.name, rig] as const))('makeMesh of %s', (_, rig) => {
  const body = makeCharacter(rig);
  const mesh = makeMesh(body, GRAY);

  it('has the same shape in the T-pose as a character bound in the T-pose', () => {
    const plain: CharacterOptions = { ...rig, bindPose: {}, facing: 0, metersPerUnit: 1, armature: [], axes: 'world' };
    const straight = makeMesh(makeCharacter(plain), GRAY);
    const vertices = skinned(body, mesh, makePose(body.figure));
    let farthest = 0;
    vertices.forEach((vertex, k) => {
      const before = straight.positions.subarray(k * 3, k * 3 + 3);
      // Blended vertices do not return exactly from a bend.
      if (mesh.weights[k * 4] === 1) farthest = Math.max(farthest, Math.hypot(...vertex.map((v, c) => v - before[c])));
    });
    expect(farthest).toBeLessThan(1e-5);
  });

  it('has weights that sum to 1 on distinct skin joints, and valid indices', () => {
    const vertices = mesh.positions.length / 3;
    const faults: string[] = [];
    for (let vertex = 0; vertex < vertices; vertex++) {
      const weights = mesh.weights.subarray(vertex * 4, vertex * 4 + 4);
      const nodes = mesh.nodes.subarray(vertex * 4, vertex * 4 + 4).filter((_, slot) => weights[slot] > 0);
      const sum = weights.reduce((total, weight) => total + weight, 0);
      if (!(Math.abs(sum - 1) < WEIGHT_SUM)) faults.push(`${vertex}: weights sum to ${sum}`);
      if (new Set(nodes).size !== nodes.length) faults.push(`${vertex}: a joint twice`);
      if (nodes.some((node) => body.skeleton.joints[node] !== 1)) faults.push(`${vertex}: no skin joint`);
      const normal = Math.hypot(...mesh.normals.subarray(vertex * 3, vertex * 3 + 3));
      if (!(Math.abs(normal - 1) < 5e-7)) faults.push(`${vertex}: normal of length ${normal}`);
    }
    expect(faults).toEqual([]);
    expect(mesh.indices.length % 3).toBe(0);
    expect(mesh.indices.every((index) => index < vertices)).toBe(true);
  });
});
