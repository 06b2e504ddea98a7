import { expect, it, vi } from 'vitest';

it('gives the decoder of the package', async () => {
  const { loadMeshoptDecoder } = await import('../../../../src/files/adapters/gltf/meshopt-decoder.ts');
  expect((await loadMeshoptDecoder())?.decodeGltfBuffer).toBeTypeOf('function');
});

it('gives null where the package is not installed', async () => {
  vi.resetModules();
  vi.doMock('meshoptimizer/decoder', () => {
    throw new Error('Cannot find package');
  });
  const { loadMeshoptDecoder } = await import('../../../../src/files/adapters/gltf/meshopt-decoder.ts');
  expect(await loadMeshoptDecoder()).toBeNull();
  vi.doUnmock('meshoptimizer/decoder');
});
