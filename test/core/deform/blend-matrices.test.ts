import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BLENDED_STRIDE, blendMatrices } from '../../../src/core/deform/blend-matrices.ts';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { matrixOf } from '../../support/reference/skinning.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';
import { packInfluences, skin } from './skins.ts';

it('blendMatrices: computes the weighted sum of the joint matrices of each bundle, from any first bundle', () => {
  let bundlesMet = 0;
  const property = fc.property(skin('stretched'), fc.nat(3), ({ joints, influences }, skipped) => {
    const plan = planSkin(packInfluences(influences), influences.length, joints.length);
    const matrices = joints.map(matrixOf);
    const end = plan.starts.length - 1;
    const first = Math.min(skipped, end);
    const out = new Float64Array((end - first) * BLENDED_STRIDE).fill(Number.NaN);
    blendMatrices(plan, first, end, Float64Array.from(matrices.flat()), out);
    for (let bundle = first; bundle < end; bundle++) {
      const list = influences[plan.vertices[plan.vertexStarts[bundle]]];
      const sum = Array.from({ length: 16 }, (_, c) =>
        list.reduce((total, [joint, weight]) => total + weight * matrices[joint][c], 0),
      );
      const at = (bundle - first) * BLENDED_STRIDE;
      expectNear(
        out.slice(at, at + BLENDED_STRIDE),
        sum.filter((_, c) => c % 4 !== 3),
        EXACT_CHAIN,
      );
      bundlesMet++;
    }
  });
  fc.assert(property, { seed: 50, numRuns: lawRuns(200) });
  expect(bundlesMet).toBeGreaterThan(lawRuns(200));
});
