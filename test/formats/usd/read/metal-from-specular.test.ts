import { expect, it } from 'vitest';
import { metalFromSpecular } from '../../../../src/formats/usd/read/metal-from-specular.ts';
import { expectNear } from '../../../near.ts';
import { LAW_F64 } from '../../../tolerances.ts';

const gray = (value: number): [number, number, number] => [value, value, value];

it('what reflects as a dielectric is none, and keeps its color', () => {
  const { baseColor, metallic } = metalFromSpecular([0.8, 0.4, 0.2], gray(0.04));
  expectNear([metallic, ...baseColor], [0, 0.8, 0.4, 0.2], LAW_F64);
  expect(metalFromSpecular(gray(0.5), gray(0)).metallic).toBe(0);
});

it('black that reflects a color is a metal of that color', () => {
  const { baseColor, metallic } = metalFromSpecular(gray(0), [1, 0.5, 0.25]);
  expectNear([metallic, ...baseColor], [1, 1, 0.5, 0.25], LAW_F64);
});

it('goes back to the mixture that a base color and metalness make', () => {
  for (const [base, metallic] of [
    [0.6, 0.25],
    [0.3, 0.5],
    [0.9, 0.75],
  ]) {
    // A metallic surface of glTF 2.0, appendix B, as diffuse and specular color; for gray both brightnesses are exact.
    const specular = 0.04 * (1 - metallic) + base * metallic;
    const diffuse = (base * (1 - metallic) * (1 - 0.04)) / (1 - specular);
    const found = metalFromSpecular(gray(diffuse), gray(specular));
    expectNear([found.metallic, ...found.baseColor], [metallic, base, base, base], LAW_F64);
  }
});
