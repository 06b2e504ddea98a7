import fc from 'fast-check';
import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import {
  createProcessorSkin,
  createProcessorSkins,
  type ProcessorSkin,
} from '../../../src/stage/figure/processor-skin.ts';
import { DRAWN_VERTEX } from '../../tolerances.ts';

const POSITIONS = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
/** Joints and weights per vertex; the third one is moved by both bones. */
const JOINTS = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0];
const WEIGHTS = [255, 0, 0, 0, 255, 0, 0, 0, 128, 127, 0, 0, 255, 0, 0, 0];

function makeMesh(joints = JOINTS): { readonly mesh: SkinnedMesh; readonly bones: Bone[]; readonly root: Group } {
  const geometry = new BufferGeometry().setIndex([0, 1, 2, 0, 2, 3]);
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(POSITIONS), 3));
  geometry.setAttribute('normal', new BufferAttribute(Float32Array.from([0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0]), 3));
  geometry.setAttribute('skinIndex', new BufferAttribute(Uint8Array.from(joints), 4));
  // Quantized, as in files that were made small.
  geometry.setAttribute('skinWeight', new BufferAttribute(Uint8Array.from(WEIGHTS), 4, true));
  geometry.morphAttributes['position'] = [
    new BufferAttribute(
      Float32Array.from(POSITIONS, (x) => x / 2),
      3,
    ),
  ];
  geometry.morphTargetsRelative = true;
  const mesh = new SkinnedMesh(geometry, new MeshBasicMaterial());
  mesh.updateMorphTargets();
  const bones = [new Bone(), new Bone()];
  bones[0].add(bones[1]);
  bones[1].position.set(0.5, 0, 0);
  const root = new Group().add(bones[0], mesh);
  root.updateMatrixWorld(true);
  mesh.bind(new Skeleton(bones));
  return { mesh, bones, root };
}

function positionsOf({ object }: ProcessorSkin): Float32Array {
  return object.geometry.attributes['position'].array as Float32Array;
}

describe('createProcessorSkin', () => {
  it('moves vertices to where the shader of three.js moves them, in any pose, at any position, with any morph weight', () => {
    const angle = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(angle, angle, angle, angle, (a, b, x, weight) => {
        const { mesh, bones, root } = makeMesh();
        const skin = createProcessorSkin(mesh) as ProcessorSkin;
        bones[0].rotation.set(a, b, 0);
        bones[1].rotation.set(0, a, b);
        root.position.x = x;
        root.scale.setScalar(0.5);
        mesh.morphTargetInfluences = [weight];
        root.updateMatrixWorld(true);
        mesh.skeleton.update();
        skin.update();
        const drawn = positionsOf(skin);
        for (let vertex = 0; vertex < 4; vertex++) {
          const expected = mesh.getVertexPosition(vertex, new Vector3()).applyMatrix4(mesh.matrixWorld);
          expect(expected.distanceTo(new Vector3().fromArray(drawn, 3 * vertex))).toBeLessThan(DRAWN_VERTEX);
        }
      }),
    );
  });

  it('draws fewer of its triangles with the same vertices, and keeps all where expressions need them', async () => {
    const sphere = new SphereGeometry(1, 32, 24);
    const { count } = sphere.attributes['position'];
    sphere.setAttribute('skinIndex', new BufferAttribute(new Uint8Array(4 * count), 4));
    const weights = Float32Array.from({ length: 4 * count }, (_, k) => (k % 4 === 0 ? 1 : 0));
    sphere.setAttribute('skinWeight', new BufferAttribute(weights, 4));
    const round = new SkinnedMesh(sphere, new MeshBasicMaterial());
    const bone = new Bone();
    round.bind(new Skeleton([bone]));
    const skin = createProcessorSkin(round) as ProcessorSkin;
    await skin.lighten(0.3);
    const full = skin.object.geometry;
    skin.draw(true);
    const light = skin.object.geometry;
    expect(light.attributes).toEqual(full.attributes);
    expect((light.index?.count ?? 0) / (full.index?.count ?? 0)).toBeLessThan(0.4);
    skin.draw(false);
    expect(skin.object.geometry).toBe(full);
    const face = createProcessorSkin(makeMesh().mesh) as ProcessorSkin;
    await face.lighten(0.3);
    const before = face.object.geometry;
    face.draw(true);
    expect(face.object.geometry).toBe(before);
  });

  it('rotates normals with the bones', () => {
    const { mesh, bones, root } = makeMesh();
    const skin = createProcessorSkin(mesh) as ProcessorSkin;
    bones[0].rotation.set(Math.PI / 2, 0, 0);
    root.updateMatrixWorld(true);
    skin.update();
    const [x, y, z] = skin.object.geometry.attributes['normal'].array;
    expect([x, y, z].map((value) => Math.round(value * 1e6) / 1e6 + 0)).toEqual([0, -1, 0]);
  });

  it('uploads vertices only when a bone or a morph weight changed', () => {
    const { mesh, bones, root } = makeMesh();
    const skin = createProcessorSkin(mesh) as ProcessorSkin;
    const attribute = skin.object.geometry.attributes['position'] as BufferAttribute;
    const versions = [
      () => undefined,
      () => undefined,
      () => bones[1].rotateX(1),
      () => mesh.morphTargetInfluences?.fill(1),
    ].map((change) => {
      change();
      root.updateMatrixWorld(true);
      skin.update();
      return attribute.version;
    });
    expect(versions).toEqual([1, 1, 2, 3]);
  });

  it('leaves a mesh with a joint that its skin has not to three.js', () => {
    expect(createProcessorSkin(makeMesh([7, ...JOINTS.slice(1)]).mesh)).toBe(null);
  });

  it('draws with the material, the triangles and the other attributes of the original', () => {
    const { mesh } = makeMesh();
    mesh.geometry.setAttribute('uv', new BufferAttribute(new Float32Array(8), 2));
    const { object } = createProcessorSkin(mesh) as ProcessorSkin;
    expect(object).toBeInstanceOf(Mesh);
    expect(object.material).toBe(mesh.material);
    expect(object.geometry.index).toBe(mesh.geometry.index);
    expect(Object.keys(object.geometry.attributes).sort()).toEqual(['normal', 'position', 'uv']);
  });
});

describe('createProcessorSkins', () => {
  it('prepares skinned meshes and leaves the others out', async () => {
    const { mesh } = makeMesh();
    const plain = new Mesh(mesh.geometry);
    const skins = await createProcessorSkins([plain, mesh]);
    expect([...skins.keys()]).toEqual([mesh]);
    expect(skins.get(mesh)?.triangles).toBe(createProcessorSkin(mesh)?.triangles);
  });
});
