import { expect, it, vi } from 'vitest';

it('loadMeshoptDecoder: returns the decoder of the package', async () => {
  const { loadMeshoptDecoder } = await import('../../../../src/files/adapters/gltf/meshopt-decoder.ts');
  expect((await loadMeshoptDecoder())?.decodeGltfBuffer).toBeTypeOf('function');
});

it('loadMeshoptDecoder: returns null when the package is missing', async () => {
  vi.resetModules();
  vi.doMock('meshoptimizer/decoder', () => {
    throw new Error('Cannot find package');
  });
  const { loadMeshoptDecoder } = await import('../../../../src/files/adapters/gltf/meshopt-decoder.ts');
  expect(await loadMeshoptDecoder()).toBeNull();
  vi.doUnmock('meshoptimizer/decoder');
});
