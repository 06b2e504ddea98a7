import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import type { Asset } from '../../../../src/core/asset/asset.ts';
import { describeHumanoid } from '../../../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { readBvh } from '../../../../src/formats/bvh/index.ts';
import { parseGltf, readGltf, writeMotionDocument } from '../../../../src/formats/gltf/index.ts';
import { gltfSpace, toGltfSpace } from '../../../../src/formats/gltf/write/gltf-space.ts';
import { type AssetHumanoid, findAssetHumanoid, worldPose } from '../../../external/oracle/retargeted.ts';
import { assetFiles } from '../../../support/assets.ts';
import { demoBytes } from '../../../support/make/demo-files.ts';
import { tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { angle, apart, product, read, rotated, times } from '../../../support/reference/plain.ts';
import { LAW_F32 } from '../../../support/tolerances.ts';
import { glbBytes } from '../open.ts';
import { validatorCodes } from '../validator.ts';

type Source = Pick<Asset, 'format' | 'metersPerUnit' | 'up'>;

const FBX: Source = { format: 'fbx', metersPerUnit: 0.01, up: [0, 0, 1] };
const Z_UP: Humanoid = { ...tPoseHumanoid(), frame: Float64Array.of(0, 1, 0, 0), metersPerUnit: 0.0254 };

function turn(rotation: ArrayLike<number>, direction: readonly number[]): readonly number[] {
  return rotated(Array.from(rotation), direction);
}

describe('gltfSpace', () => {
  it('returns null for glTF files', () => {
    for (const format of ['gltf', 'vrm0', 'vrm1', 'vrma'] as const) {
      expect(gltfSpace({ format, metersPerUnit: 1, up: [0, 1, 0] }, Z_UP)).toBeNull();
    }
  });

  it('prefers the frame of the humanoid over the axes of the file', () => {
    expect(gltfSpace(FBX, Z_UP)).toEqual({ rotation: Z_UP.frame, scale: 0.0254 });
  });

  it('rotates a non-humanoid from the up axis of its file: +Z up and facing −Y becomes +Y up and facing +Z', () => {
    const { rotation, scale } = gltfSpace(FBX, null)!;
    expect(scale).toBe(0.01);
    expect(apart(turn(rotation, [0, 0, 1]), [0, 1, 0])).toBeLessThan(1e-15);
    expect(apart(turn(rotation, [0, -1, 0]), [0, 0, 1])).toBeLessThan(1e-15);
  });

  it('handles −Y up, and keeps the axes of files without an up axis', () => {
    const { rotation } = gltfSpace({ ...FBX, up: [0, -1, 0] }, null)!;
    expect(apart(turn(rotation, [0, -1, 0]), [0, 1, 0])).toBeLessThan(1e-15);
    const silent = gltfSpace({ format: 'bvh', metersPerUnit: null, up: null }, null)!;
    expect([Array.from(silent.rotation), silent.scale]).toEqual([[0, 0, 0, 1], 1]);
  });
});

/** Converts a BVH to GLB and reads it again. */
function written(source: Asset, body: AssetHumanoid): { target: AssetHumanoid; glb: Uint8Array } {
  const { skeleton, clips } = toGltfSpace(source, body.humanoid, body.humanoid.skeleton, body.clips);
  const glb = glbBytes(writeMotionDocument(skeleton, clips));
  return { target: findAssetHumanoid(readGltf(parseGltf(glb))), glb };
}

describe('toGltfSpace', () => {
  it('returns the same skeleton and clips for glTF', () => {
    const { skeleton } = tPoseHumanoid();
    const clips: Clip[] = [];
    const made = toGltfSpace({ format: 'vrm0', metersPerUnit: 1, up: [0, 1, 0] }, null, skeleton, clips);
    expect(made.skeleton).toBe(skeleton);
    expect(made.clips).toBe(clips);
  });

  it('converts axes and unit to meters and +Y up without an additional node', () => {
    const skeleton: Skeleton = {
      name: 'crane',
      names: ['base', 'arm'],
      parents: Int32Array.of(-1, 0),
      rest: Float64Array.of(0, 0, 100, 0, 0, 0, 1, 1, 1, 1, 0, -50, 0, 0, 0, 0, 1, 1, 1, 1),
      bind: null,
      joints: Uint8Array.of(0, 0),
    };
    const made = toGltfSpace(FBX, null, skeleton, []);
    const body = { humanoid: { skeleton: made.skeleton } } as unknown as AssetHumanoid;
    const { matrices } = worldPose(body, { name: '', duration: 0, tracks: [] }, 0);
    expect(made.skeleton.names).toEqual(['base', 'arm']);
    expect(apart(read(matrices, 12, 3), [0, 1, 0])).toBeLessThan(1e-15);
    expect(apart(read(matrices, 28, 3), [0, 1, 0.5])).toBeLessThan(1e-15);
  });

  const files = assetFiles('assets/bvh', 'bvh').map(
    (path) => [path.split('/').at(-1), () => readFileSync(path)] as const,
  );

  it.each([['turn.bvh', () => demoBytes('turn.bvh')] as const, ...files])(
    'shows %s in a GLB as it moves, in meters and facing +Z',
    async (_, bytes) => {
      const asset = readBvh(bytes());
      const source = findAssetHumanoid(asset);
      const { target, glb } = written(asset, source);
      const { frame, metersPerUnit, height } = source.humanoid;
      for (const part of [0, 0.3, 1]) {
        const before = worldPose(source, source.clips[0], part * source.clips[0].duration);
        const after = worldPose(target, target.clips[0], part * source.clips[0].duration);
        for (let node = 0; node < source.humanoid.skeleton.parents.length; node++) {
          const place = times(turn(frame, read(before.matrices, 16 * node + 12, 3)), metersPerUnit);
          expect(apart(place, read(after.matrices, 16 * node + 12, 3)) / (height + Math.hypot(...place))).toBeLessThan(
            LAW_F32,
          );
          const wanted = product(Array.from(frame), read(before.rotations, 4 * node, 4));
          expect(angle(wanted, read(after.rotations, 4 * node, 4))).toBeLessThan(LAW_F32);
        }
      }
      expect(angle(Array.from(target.humanoid.frame), [0, 0, 0, 1])).toBeLessThan(LAW_F32);
      expect(target.humanoid.metersPerUnit).toBe(1);
      expect(planRetarget(source.humanoid, target.humanoid).hipsScale).toBeCloseTo(1, 4);
      // The validator reports leaf joints, and the skin without a mesh, as information.
      expect([...(await validatorCodes(glb))].filter(([, severity]) => severity < 2)).toEqual([]);
    },
  );

  it('gives a humanoid with the same description as its source', () => {
    const asset = readBvh(demoBytes('turn.bvh'));
    const source = findAssetHumanoid(asset);
    const { target } = written(asset, source);
    const again = describeHumanoid(target.humanoid.skeleton, { metersPerUnit: 1, motion: target.clips[0] }).humanoid!;
    expect(again.height).toBeCloseTo(source.humanoid.height, 5);
    expect(Array.from(again.map.nodes)).toEqual(Array.from(source.humanoid.map.nodes));
  });
});
