import { Bone, BoxGeometry, BufferAttribute, Group, Mesh, Skeleton, SkinnedMesh, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { hullOf } from '../../../src/stage/figure/hull.ts';

/** Largest x, y, z of the points of a part. */
function reach(points: readonly Vector3[]): number[] {
  return points.reduce((most, point) => most.max(point), new Vector3(-9, -9, -9)).toArray();
}

describe('hullOf', () => {
  it('has the corners of a prop, in its own space', () => {
    const sword = new Mesh(new BoxGeometry(0.1, 2, 0.1, 1, 50, 1));
    new Group().add(sword);
    const [{ object, points }] = hullOf([sword]);
    expect(object).toBe(sword);
    expect(reach(points)).toEqual([expect.closeTo(0.05, 6), 1, expect.closeTo(0.05, 6)]);
    expect(points.length).toBeLessThanOrEqual(14);
  });

  it('gives each vertex of a skin to the bone that moves it most, in the space of that bone', () => {
    const [hips, arm] = [new Bone(), new Bone()];
    hips.add(arm);
    arm.position.set(0, 1, 0);
    hips.updateMatrixWorld(true);
    const geometry = new BoxGeometry(1, 1, 1).translate(0, 1.5, 0);
    const count = geometry.getAttribute('position').count;
    geometry.setAttribute('skinIndex', new BufferAttribute(new Uint8Array(4 * count).fill(0), 4));
    const indices = geometry.getAttribute('skinIndex') as BufferAttribute;
    const weights = new BufferAttribute(new Float32Array(4 * count), 4);
    for (let vertex = 0; vertex < count; vertex++) {
      indices.setXYZW(vertex, 0, 1, 0, 0);
      weights.setXYZW(vertex, 0.3, 0.7, 0, 0);
    }
    geometry.setAttribute('skinWeight', weights);
    const skin = new SkinnedMesh(geometry);
    skin.add(hips);
    skin.bind(new Skeleton([hips, arm]));
    const parts = hullOf([skin]);
    expect(parts.map(({ object }) => object)).toEqual([arm]);
    expect(reach(parts[0].points)).toEqual([0.5, 1, 0.5]);
  });
});
