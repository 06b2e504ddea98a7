import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { sampleTrack } from '../../../../src/core/animation/sample.ts';
import type { Asset } from '../../../../src/core/asset/asset.ts';
import { describeHumanoid } from '../../../../src/core/humanoid/describe-humanoid.ts';
import type { GivenBones, Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { mapFromGiven } from '../../../../src/core/humanoid/mapping/given-map.ts';
import { planRetarget } from '../../../../src/core/retarget/plan.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { readUsdAsset } from '../../../../src/formats/usd/read/read-asset.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-scene.ts';
import { asset, HAS_ASSETS } from '../../../assets.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { aboutAxis, IDENTITY, product } from '../../../reference/plain.ts';
import { USD_QUATF } from '../../../tolerances.ts';
import { stageOf } from '../skel/scene.ts';

const FOLDER = 'conformance/usd/retarget-triplet/docs/design/fixtures/motion';

function read(file: string, change: (text: string) => string = (text) => text): Asset {
  return readUsdAsset(readUsdScene(stageOf(change(readFileSync(asset(FOLDER, file), 'utf8')))));
}

function humanoid({ skeletons: [{ skeleton, sourceNodes }], metresPerUnit, up }: Asset, bones: GivenBones): Humanoid {
  const map = mapFromGiven(skeleton, sourceNodes, bones);
  const { humanoid: found, reason } = describeHumanoid(skeleton, { map, pose: 'node', metresPerUnit, up });
  if (found === null) throw new Error(reason);
  return found;
}

/** Local translation and rotation of joints at a second. */
function poseAt(clip: Asset['clips'][number]['clips'][number], { skeletons: [{ skeleton }] }: Asset, time: number) {
  return (joint: string): { translation: number[]; rotation: number[] } => {
    const node = skeleton.names.indexOf(joint);
    const value = (path: 'translation' | 'rotation', offset: number, width: number): number[] => {
      const out = Float64Array.from(skeleton.rest.slice(10 * node + offset, 10 * node + offset + width));
      const track = clip.tracks.find((each) => each.target === node && each.path === path);
      if (track !== undefined) sampleTrack(track, time, out, 0);
      return [...out];
    };
    return { translation: value('translation', 0, 3), rotation: value('rotation', 3, 4) };
  };
}

function retargeted(avatar: Asset): Asset['clips'][number]['clips'][number] {
  const motion = read('canonical_walk.usda');
  const source = humanoid(motion, { hips: 'hips', spine: 'spine', chest: 'chest' });
  const target = humanoid(avatar, { hips: 'Pelvis', spine: 'SpineA', chest: 'ChestA' });
  return retargetClip(planRetarget(source, target, { hipsScale: 'none' }), motion.clips[0].clips[0]);
}

const JOINTS = ['Root', 'Pelvis', 'SpineA', 'ChestA'];
const TURN = aboutAxis([0, 1, 0], Math.PI / 2);
const BOW = aboutAxis([1, 0, 0], Math.PI / 2);

describe.skipIf(!HAS_ASSETS)(
  'the retarget triplet: three bones without legs, both maps given, rest poses as reference',
  () => {
    it('comes out as expected on an avatar whose joints hang on each other, as its rest pose means', () => {
      const nested = (text: string): string =>
        text.replace(
          '["Root", "Pelvis", "SpineA", "ChestA"]',
          '["Root", "Root/Pelvis", "Root/Pelvis/SpineA", "Root/Pelvis/SpineA/ChestA"]',
        );
      const avatar = read('avatar.usda', nested);
      const clip = retargeted(avatar);
      const expected = read('expected_retargeted.usda', (text) =>
        text.replace(
          'rel skel:animationSource',
          `uniform matrix4d[] restTransforms = [
      ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ), ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ),
      ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ), ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )]
      rel skel:animationSource`,
        ),
      );
      for (const time of [0, 0.25, 1]) {
        const found = poseAt(clip, avatar, time);
        const wanted = poseAt(expected.clips[0].clips[0], expected, time);
        for (const joint of JOINTS) {
          expectNear(found(joint).translation, wanted(joint).translation, USD_QUATF);
          expectSameRotation(found(joint).rotation, wanted(joint).rotation, USD_QUATF);
        }
      }
    });

    it('as it stands has joints that do not hang on each other: they turn in the world as those of the motion do', () => {
      const avatar = read('avatar.usda');
      const pose = poseAt(retargeted(avatar), avatar, 1);
      expectSameRotation(pose('Root').rotation, IDENTITY, USD_QUATF);
      expectSameRotation(pose('Pelvis').rotation, TURN, USD_QUATF);
      expectNear(pose('Pelvis').translation, [0, 1, 0.5], USD_QUATF);
      expectSameRotation(pose('SpineA').rotation, TURN, USD_QUATF);
      expectSameRotation(pose('ChestA').rotation, product(TURN, BOW), USD_QUATF);
    });
  },
);
