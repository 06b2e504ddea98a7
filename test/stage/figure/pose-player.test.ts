import { BoxGeometry, Group, Mesh, Object3D } from 'three';
import { describe, expect, it } from 'vitest';
import type { StageClip, StageTrack } from '../../../src/stage/contract.ts';
import { PosePlayer } from '../../../src/stage/figure/pose-player.ts';

const HALF = Math.SQRT1_2;
const REST_TRANSLATION = [1, 2, 3];

function nodesOf(): Object3D[] {
  const nodes = [new Object3D(), new Object3D()];
  nodes[0].position.fromArray(REST_TRANSLATION);
  return nodes;
}

function clipOf(...tracks: StageTrack[]): StageClip {
  return { name: 'clip', duration: 2, tracks };
}

const move: StageTrack = {
  node: 0,
  path: 'translation',
  interpolation: 'LINEAR',
  times: new Float32Array([0, 2]),
  values: new Float32Array([0, 0, 0, 2, 4, 6]),
};
const rotate: StageTrack = {
  node: 1,
  path: 'rotation',
  interpolation: 'STEP',
  times: new Float32Array([0, 1]),
  values: new Float32Array([0, 0, 0, 1, 0, HALF, 0, HALF]),
};

describe('PosePlayer', () => {
  it('samples every path and interpolation, clamped to the first and last key', () => {
    const nodes = nodesOf();
    const player = new PosePlayer(nodes);
    const scale: StageTrack = {
      node: 1,
      path: 'scale',
      interpolation: 'CUBICSPLINE',
      times: new Float32Array([0, 1]),
      values: new Float32Array([0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 3, 3, 3, 0, 0, 0]),
    };
    player.setClip(clipOf(move, rotate, scale));
    expect(player.duration).toBe(2);
    player.show(0.5);
    expect(nodes[0].position.toArray()).toEqual([0.5, 1, 1.5]);
    expect(nodes[1].quaternion.toArray()).toEqual([0, 0, 0, 1]);
    expect(nodes[1].scale.x).toBeCloseTo(2, 6);
    player.show(1.5);
    expect(nodes[1].quaternion.y).toBeCloseTo(HALF, 6);
    player.show(9);
    expect(nodes[0].position.toArray()).toEqual([2, 4, 6]);
  });

  it('writes weights to all primitives of a mesh, and not to meshes of nodes below', () => {
    const meshes = [0, 1, 2].map(() => Object.assign(new Mesh(new BoxGeometry()), { morphTargetInfluences: [0.5, 0] }));
    const node = new Group().add(meshes[0], meshes[1]);
    const below = meshes[2];
    node.add(below);
    const player = new PosePlayer([node, below]);
    player.setClip(
      clipOf({
        node: 0,
        path: 'weights',
        interpolation: 'LINEAR',
        times: new Float32Array([0, 1]),
        values: new Float32Array([0, 0, 1, 2]),
      }),
    );
    player.show(0.5);
    expect(meshes.map(({ morphTargetInfluences }) => morphTargetInfluences)).toEqual([
      [0.5, 1],
      [0.5, 1],
      [0.5, 0],
    ]);
    player.setClip(null);
    player.show(0);
    expect(meshes[0].morphTargetInfluences).toEqual([0.5, 0]);
  });

  it('returns to the rest pose without a clip, and for tracks that a new clip lacks', () => {
    const nodes = nodesOf();
    const player = new PosePlayer(nodes);
    player.setClip(clipOf(move));
    player.show(1);
    player.setClip(clipOf(rotate));
    player.show(1);
    expect(nodes[0].position.toArray()).toEqual(REST_TRANSLATION);
    player.setClip(null);
    player.show(1);
    expect(nodes[1].quaternion.toArray()).toEqual([0, 0, 0, 1]);
    expect(player.duration).toBe(0);
  });

  it('shows a static pose instead of the clip until it is removed', () => {
    const nodes = nodesOf();
    const player = new PosePlayer(nodes);
    player.setClip(clipOf(move));
    player.setPose(
      new Map([
        [1, { rotation: [HALF, 0, 0, HALF] }],
        [0, { rotation: [0, 0, 0, 1], translation: [7, 7, 7] }],
      ]),
    );
    player.show(1);
    expect(nodes[1].quaternion.x).toBe(HALF);
    expect(nodes[0].position.toArray()).toEqual([7, 7, 7]);
    player.setPose(null);
    player.show(1);
    expect(nodes[0].position.toArray()).toEqual([1, 2, 3]);
  });

  it('shows an edited rotation until the next pose or clip', () => {
    const nodes = nodesOf();
    const player = new PosePlayer(nodes);
    player.setClip(clipOf(rotate));
    player.edit({ node: 1, rotation: [1, 0, 0, 0] });
    player.show(1);
    expect(nodes[1].quaternion.x).toBe(1);
    player.setPose(new Map([[1, { rotation: [0, 0, 1, 0] }]]));
    player.show(1);
    expect(nodes[1].quaternion.z).toBe(1);
  });

  it('throws for nodes that the file has not, and keeps what it showed', () => {
    const nodes = nodesOf();
    const player = new PosePlayer(nodes);
    player.setClip(clipOf(move));
    expect(() => player.setClip(clipOf({ ...move, node: 2 }))).toThrow(/Node 2 does not exist/);
    expect(() => player.setPose(new Map([[-1, { rotation: [0, 0, 0, 1] }]]))).toThrow(RangeError);
    player.show(1);
    expect(nodes[0].position.toArray()).toEqual([1, 2, 3]);
  });
});
