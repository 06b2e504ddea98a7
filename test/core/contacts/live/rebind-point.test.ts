import { expect, test } from 'vitest';
import { rebindPoint } from '../../../../src/core/contacts/live/rebind-point.ts';
import { referenceMatrices } from '../../../../src/core/contacts/surface/reference-matrices.ts';
import { skinPoint } from '../../../../src/core/deform/skin-points.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

test('rebindPoint: points stay where they are in the reference pose, on the given nodes alone', async () => {
  const { humanoid, surface } = await demoBody();
  const matrices = referenceMatrices(humanoid);
  const [foot, hips] = [humanoid.map.nodes[BONE.leftFoot], humanoid.map.nodes[BONE.hips]];
  const before = new Float64Array(3);
  const part = new Float64Array(3);
  for (let point = 0; point < surface.bones.length; point += 7) {
    skinPoint(before, 0, surface.points, point, matrices);
    const bound = rebindPoint(humanoid, surface.points, point, new Set([foot]), hips, matrices);
    const sum = [0, 0, 0];
    let weight = 0;
    for (const [node, [x, y, z, w]] of bound) {
      expect([foot, hips]).toContain(node);
      mat4.transformPoint(part, 0, matrices, 16 * node, [x / w, y / w, z / w], 0);
      for (let c = 0; c < 3; c++) sum[c] += w * part[c];
      weight += w;
    }
    expect(weight).toBeCloseTo(1, 6);
    for (let c = 0; c < 3; c++) expect(sum[c]).toBeCloseTo(before[c], 6);
  }
});
