import { expect, it } from 'vitest';
import { requireFinite } from '../../../../src/formats/gltf/normalize/require-finite.ts';

it('requireFinite: refuses what float32 cannot hold, with a message and a pointer', () => {
  expect(() => requireFinite(Float32Array.of(0, 3.4e38), 'too far', '/skins')).not.toThrow();
  expect(() => requireFinite(null, 'too far', '/skins')).not.toThrow();
  for (const value of [1e39, Number.NaN]) {
    const refused = () => requireFinite(Float32Array.of(0, value), 'too far', '/skins');
    expect(refused).toThrow(expect.objectContaining({ code: 'GLTF_ACCESSOR', where: { pointer: '/skins' } }));
  }
});
