import { expect, it } from 'vitest';
import { metallicFromSpecular } from '../../../../../src/formats/usd/read/materials/preview-surface.ts';
import { expectNear } from '../../../../support/near.ts';
import { LAW_F64 } from '../../../../support/tolerances.ts';

const gray = (value: number): [number, number, number] => [value, value, value];

it('metallicFromSpecular: keeps the color of dielectrics, with metalness 0', () => {
  const { baseColor, metallic } = metallicFromSpecular([0.8, 0.4, 0.2], gray(0.04));
  expectNear([metallic, ...baseColor], [0, 0.8, 0.4, 0.2], LAW_F64);
  expect(metallicFromSpecular(gray(0.5), gray(0)).metallic).toBe(0);
});

it('metallicFromSpecular: converts black with a specular color to a metal of that color', () => {
  const { baseColor, metallic } = metallicFromSpecular(gray(0), [1, 0.5, 0.25]);
  expectNear([metallic, ...baseColor], [1, 1, 0.5, 0.25], LAW_F64);
});

it('metallicFromSpecular: inverts the specular color of a glTF material', () => {
  for (const [base, metallic] of [
    [0.6, 0.25],
    [0.3, 0.5],
    [0.9, 0.75],
  ]) {
    // Diffuse and specular color of a metallic surface (glTF 2.0, appendix B); for gray, brightness is exact.
    const specular = 0.04 * (1 - metallic) + base * metallic;
    const diffuse = (base * (1 - metallic) * (1 - 0.04)) / (1 - specular);
    const found = metallicFromSpecular(gray(diffuse), gray(specular));
    expectNear([found.metallic, ...found.baseColor], [metallic, base, base, base], LAW_F64);
  }
});
