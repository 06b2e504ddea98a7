import { Mesh, type Object3D, SkinnedMesh } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { loadFigure } from '../../../src/stage/figure/load-figure.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { glbOf } from '../../support/make/glb.ts';

describe('loadFigure', () => {
  it('has the object of every node at its index', async () => {
    const { nodes, json, meshes, scene } = await loadFigure({ id: 'a', glb: demoBytes('mixamo.glb') });
    expect(nodes).toHaveLength(json.nodes?.length ?? 0);
    nodes.forEach((object, node) => {
      const children = json.nodes?.[node].children ?? [];
      for (const child of children) expect(nodes[child].parent).toBe(object);
    });
    expect(meshes.length).toBeGreaterThan(0);
    expect(meshes.every((mesh) => mesh instanceof SkinnedMesh && !mesh.frustumCulled)).toBe(true);
    let roots: Object3D = nodes[0];
    while (roots.parent !== null) roots = roots.parent;
    expect(roots).toBe(scene);
  });

  it('reads bytes inside of a larger buffer', async () => {
    const glb = demoBytes('child.vrm');
    const larger = new Uint8Array(glb.length + 20);
    larger.set(glb, 12);
    const { meshes } = await loadFigure({ id: 'a', glb: larger.subarray(12, 12 + glb.length) });
    expect(meshes.length).toBeGreaterThan(0);
  });

  it('shows all root nodes of a file without scenes, and no light or camera of the file', async () => {
    const glb = glbOf({
      asset: { version: '2.0' },
      extensionsUsed: ['KHR_lights_punctual'],
      extensions: { KHR_lights_punctual: { lights: [{ type: 'point' }] } },
      cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }],
      nodes: [
        { name: 'a', children: [2] },
        { name: 'b', camera: 0 },
        { name: 'c', extensions: { KHR_lights_punctual: { light: 0 } } },
      ],
    });
    const { scene, nodes } = await loadFigure({ id: 'a', glb });
    expect(scene.children).toEqual([nodes[0], nodes[1]]);
    const kinds: string[] = [];
    scene.traverse(({ type }) => kinds.push(type));
    expect(kinds.filter((kind) => /Light/.test(kind))).toEqual([]);
  });

  it('hides what the file hides, with what is below', async () => {
    const glb = glbOf({
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0, 2] }],
      nodes: [{ children: [1], extensions: { KHR_node_visibility: { visible: false } } }, { mesh: 0 }, { mesh: 0 }],
      meshes: [{ primitives: [{ attributes: {} }] }],
    });
    const { nodes, meshes } = await loadFigure({ id: 'a', glb });
    expect(nodes.map(({ visible }) => visible)).toEqual([false, true, true]);
    expect(meshes).toEqual([nodes[2]]);
  });

  it('throws for other bytes than a GLB, and for Draco', async () => {
    await expect(loadFigure({ id: 'a', glb: new Uint8Array(40) })).rejects.toThrow(/not a GLB/);
    const draco = glbOf({ asset: { version: '2.0' }, extensionsUsed: ['KHR_draco_mesh_compression'] });
    await expect(loadFigure({ id: 'hero', glb: draco })).rejects.toThrow(/Figure hero is compressed with Draco/);
  });

  it('requests nothing: buffers elsewhere are an error, images elsewhere are omitted', async () => {
    const request = vi.spyOn(globalThis, 'fetch');
    try {
      const position = { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [2, 2, 2] };
      const triangle = {
        asset: { version: '2.0' },
        nodes: [{ mesh: 0 }],
        scenes: [{ nodes: [0] }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
        materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }, {}],
        textures: [{}],
        images: [{ uri: 'https://example.com/a.png' }],
        accessors: [position],
        bufferViews: [{ buffer: 0, byteLength: 36 }],
      };
      const elsewhere = { ...triangle, buffers: [{ uri: 'https://example.com/a.bin', byteLength: 36 }] };
      await expect(loadFigure({ id: 'a', glb: glbOf(elsewhere) })).rejects.toThrow(/Buffer 0 is not part of the file/);
      const uri = `data:application/octet-stream;base64,${Buffer.from(new Float32Array(9).fill(2).buffer).toString('base64')}`;
      const { meshes } = await loadFigure({ id: 'a', glb: glbOf({ ...triangle, buffers: [{ uri, byteLength: 36 }] }) });
      expect(meshes[0]).toBeInstanceOf(Mesh);
      expect(meshes[0].geometry.attributes['position'].getX(2)).toBe(2);
      expect(request).not.toHaveBeenCalled();
    } finally {
      request.mockRestore();
    }
  });
});
