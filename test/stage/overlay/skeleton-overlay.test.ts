import { Color, type InstancedMesh, Matrix4, Object3D, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { SkeletonOverlay } from '../../../src/stage/overlay/skeleton-overlay.ts';

/** A chain of three nodes, one meter apart, on a figure at x = 5. */
function chain(): { readonly group: Object3D; readonly nodes: Object3D[] } {
  const nodes = [new Object3D(), new Object3D(), new Object3D()];
  nodes[0].add(nodes[1].add(nodes[2]));
  nodes[1].position.y = 1;
  nodes[2].position.x = 1;
  const group = new Object3D().add(nodes[0]);
  group.position.x = 5;
  group.updateMatrixWorld(true);
  return { group, nodes };
}

const joints = { nodes: [0, 1, 2], parents: [-1, 0, 1] };

function overlayOf(colors?: Float32Array): { readonly overlay: SkeletonOverlay; readonly group: Object3D } {
  const { group, nodes } = chain();
  const described = colors === undefined ? joints : { ...joints, colors };
  const overlay = new SkeletonOverlay(described, nodes, 2, new Color('#ffffff'));
  overlay.update(group.position);
  return { overlay, group };
}

/** Returns bones and joints. */
function meshesOf({ object }: SkeletonOverlay): [InstancedMesh, InstancedMesh] {
  return object.children as [InstancedMesh, InstancedMesh];
}

describe('SkeletonOverlay', () => {
  it('has the positions of the joints in the space of the figure', () => {
    expect([...overlayOf().overlay.positions]).toEqual([0, 0, 0, 0, 1, 0, 1, 1, 0]);
  });

  it('draws each bone from its joint to the next', () => {
    const [bones] = meshesOf(overlayOf().overlay);
    expect(bones.count).toBe(2);
    const matrix = new Matrix4();
    bones.getMatrixAt(1, matrix);
    const start = new Vector3(0, -1, 0).applyMatrix4(matrix);
    const end = new Vector3(0, 1, 0).applyMatrix4(matrix);
    expect(start.distanceTo(new Vector3(0, 1, 0))).toBeLessThan(1e-6);
    expect(end.distanceTo(new Vector3(1, 1, 0))).toBeLessThan(1e-6);
  });

  it('draws a figure without a mesh with bones twice as wide', () => {
    const { group, nodes } = chain();
    const widthOf = (isAlone: boolean): number => {
      const overlay = new SkeletonOverlay(joints, nodes, 2, new Color('#ffffff'), isAlone);
      overlay.update(group.position);
      const matrix = new Matrix4();
      meshesOf(overlay)[0].getMatrixAt(0, matrix);
      return new Vector3().setFromMatrixScale(matrix).x;
    };
    expect(widthOf(true) / widthOf(false)).toBeCloseTo(2);
  });

  it('colors bones like the joint at which they start', () => {
    const [bones, spheres] = meshesOf(overlayOf(new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1])).overlay);
    const colorAt = (mesh: InstancedMesh, index: number): number => {
      const color = new Color();
      mesh.getColorAt(index, color);
      return color.getHex();
    };
    expect([0, 1, 2].map((joint) => colorAt(spheres, joint))).toEqual([0xff0000, 0x00ff00, 0x0000ff]);
    expect([0, 1].map((bone) => colorAt(bones, bone))).toEqual([0xff0000, 0x00ff00]);
  });

  it('enlarges the joints that are highlighted or under the pointer', () => {
    const { overlay, group } = overlayOf();
    const sizes = (): number[] =>
      joints.nodes.map((joint) => {
        const matrix = new Matrix4();
        meshesOf(overlay)[1].getMatrixAt(joint, matrix);
        return matrix.elements[0];
      });
    const before = sizes();
    overlay.highlight(1);
    overlay.hover(2);
    overlay.update(group.position);
    const after = sizes();
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBeGreaterThan(2 * before[1]);
    expect(after[2]).toBeGreaterThan(2 * before[2]);
  });
});
