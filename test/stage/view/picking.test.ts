import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { pickJoint } from '../../../src/stage/view/picking.ts';

const SIZE = [800, 600] as const;
const camera = new PerspectiveCamera(45, 800 / 600, 0.1, 100);
camera.position.set(0, 0, 5);
camera.updateMatrixWorld();

/** Returns where a point of the world is in the picture. */
function onPicture(x: number, y: number, z: number): [number, number] {
  const point = new Vector3(x, y, z).project(camera);
  return [((point.x + 1) / 2) * SIZE[0], ((1 - point.y) / 2) * SIZE[1]];
}

const groups = [
  { positions: new Float32Array([0, 0, 0, 0, 1, 0]), offset: new Vector3(-1, 0, 0), scale: 1 },
  { positions: new Float32Array([0, 0, 0]), offset: new Vector3(1, 0, 0), scale: 1 },
];

describe('pickJoint', () => {
  it('finds the joint under the pointer, with the offset of its figure', () => {
    expect(pickJoint(groups, camera, onPicture(-1, 1, 0), SIZE)).toEqual({ group: 0, joint: 1 });
    expect(pickJoint(groups, camera, onPicture(1, 0, 0), SIZE)).toEqual({ group: 1, joint: 0 });
  });

  it('finds a joint within 14 pixels, not beyond', () => {
    const [x, y] = onPicture(1, 0, 0);
    expect(pickJoint(groups, camera, [x + 13, y], SIZE)).toEqual({ group: 1, joint: 0 });
    expect(pickJoint(groups, camera, [x + 15, y], SIZE)).toBeNull();
  });

  it('takes the joint in front of two at one point of the picture', () => {
    const line = [{ positions: new Float32Array([0, 0, 0, 0, 0, 2]), offset: new Vector3(), scale: 1 }];
    expect(pickJoint(line, camera, onPicture(0, 0, 0), SIZE)).toEqual({ group: 0, joint: 1 });
  });

  it('ignores joints behind the camera', () => {
    const behind = [{ positions: new Float32Array([0, 0, 6]), offset: new Vector3(), scale: 1 }];
    expect(pickJoint(behind, camera, [400, 300], SIZE)).toBeNull();
  });
});
