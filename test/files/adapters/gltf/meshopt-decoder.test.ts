import { expect, it, vi } from 'vitest';
import { loadMeshoptDecoder } from '../../../../src/files/adapters/gltf/meshopt-decoder.ts';

it('loadMeshoptDecoder: returns the decoder of the package', async () => {
  expect((await loadMeshoptDecoder())?.decodeGltfBuffer).toBeTypeOf('function');
});

it('loadMeshoptDecoder: returns null when the package is missing', async () => {
  vi.doMock('meshoptimizer/decoder', () => {
    throw new Error('Cannot find package');
  });
  expect(await loadMeshoptDecoder()).toBeNull();
  vi.doUnmock('meshoptimizer/decoder');
});
