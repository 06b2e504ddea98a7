import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openFile } from '../../../src/files/node.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { concatParts } from '../../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { type OutfitForm, outfitGlb } from '../../support/make/outfit-glb.ts';

/** Distance of a point from its joint at which a wrong rotation shows, meters. */
const ARM = 0.1;

/**
 * Plays the last clip of a file: the largest distance, meters, between points fixed to the joints of the other skeletons and the same points fixed to the joints
 * of the first one that are at the same positions at rest. Also the number of such joints.
 */
function differenceOfCopies(file: OpenFile): { pairs: number; meters: number } {
  const { skeletons, clips } = file.asset;
  const clip = clips[clips.length - 1];
  const play = (index: number, time: number | null): Float64Array => {
    const { parents, rest } = skeletons[index].skeleton;
    const local = Float64Array.from(rest);
    if (time !== null) sampleClip(clip.clips[index], time, local);
    const matrices = new Float64Array(MATRIX_STRIDE * parents.length);
    localToModelMatrices(matrices, parents, local);
    return matrices;
  };
  const isJoint = (index: number, node: number): boolean => skeletons[index].skeleton.joints[node] === 1;
  const restBody = play(0, null);
  const pairs: [index: number, copy: number, body: number][] = [];
  for (let index = 1; index < skeletons.length; index++) {
    const rest = play(index, null);
    for (let node = 0; node < skeletons[index].sourceNodes.length; node++) {
      if (!isJoint(index, node)) continue;
      const body = skeletons[0].sourceNodes.findIndex((_, other) => {
        const gap = [12, 13, 14].map((k) => restBody[MATRIX_STRIDE * other + k] - rest[MATRIX_STRIDE * node + k]);
        return isJoint(0, other) && Math.hypot(...gap) < 1e-4;
      });
      if (body >= 0) pairs.push([index, node, body]);
    }
  }
  const fixed = (rest: Float64Array, now: Float64Array, node: number, point: readonly number[]): number[] => {
    const toNode = new Float64Array(MATRIX_STRIDE);
    mat4.invertAffine(toNode, 0, rest, MATRIX_STRIDE * node);
    const out = Float64Array.from(point);
    mat4.transformPoint(out, 0, toNode, 0, out, 0);
    mat4.transformPoint(out, 0, now, MATRIX_STRIDE * node, out, 0);
    return [...out];
  };
  let meters = 0;
  for (let k = 0; k <= 10; k++) {
    const time = (k * clip.duration) / 10;
    const now = skeletons.map((_, index) => play(index, time));
    for (const [index, copy, body] of pairs) {
      for (const axis of [0, 1, 2]) {
        const point = [12, 13, 14].map((c) => restBody[MATRIX_STRIDE * body + c]);
        point[axis] += ARM;
        const a = fixed(play(index, null), now[index], copy, point);
        const b = fixed(restBody, now[0], body, point);
        meters = Math.max(meters, Math.hypot(...a.map((value, c) => value - b[c])));
      }
    }
  }
  return { pairs: pairs.length, meters };
}

async function walkOn(character: OpenFile, options: Parameters<typeof retargetMotions>[2]): Promise<OpenFile> {
  const { outputs, report } = await retargetMotions([await openDemo('walk.glb')], character, options);
  expect(report.ok).toBe(true);
  return openBytes(concatParts(outputs[outputs.length - 1].parts), { name: options.output });
}

const dressed = async (form: OutfitForm): Promise<OpenFile> => openBytes(outfitGlb(form), { name: 'dressed.glb' });

const FORMS: readonly [name: string, form: OutfitForm, pairs: number][] = [
  ['with suffixes', {}, 60],
  ['with the same names', { rename: (name) => name }, 60],
  ['with names that mean nothing', { rename: (name) => `b${name.length}` }, 60],
  ['of the arms only', { joints: (name) => /Arm$|Hand/.test(name) }, 40],
  ['below a scaled armature', { scale: 100 }, 60],
  ['in the armature of the character', { inArmature: true }, 60],
];

describe('clothes with a skeleton of their own', () => {
  it.each(sampledCases(FORMS))('move with the character: a copy %s', async (_, form, least) => {
    const { pairs, meters } = differenceOfCopies(
      await walkOn(await dressed(form), { output: 'out.glb', contacts: 'off', edits: { keys: 'exact' } }),
    );
    expect(pairs).toBeGreaterThanOrEqual(Math.min(least, 50));
    expect(meters).toBeLessThan(2e-5);
  });

  it('move with the character where the clip loops in place', async () => {
    const file = await walkOn(await dressed({}), { output: 'out.glb', edits: { root: 'in-place', loop: true } });
    expect(differenceOfCopies(file).meters).toBeLessThan(2e-5);
  });

  it.runIf(IS_FULL_RUN)('move with a character in USD', async () => {
    const file = await walkOn(await dressed({}), { output: 'out.usda' });
    const { pairs, meters } = differenceOfCopies(file);
    expect(pairs).toBeGreaterThan(50);
    expect(meters).toBeLessThan(2e-5);
  });

  it('are named in a warning where they are elsewhere', async () => {
    const { found, issues } = chooseHumanoid(
      await dressed({ offset: [1, 0, 0], joints: (name) => /Arm$/.test(name) }),
      'target',
      {},
    );
    expect(found?.part.skeleton.names).toHaveLength(found?.humanoid.skeleton.parents.length as number);
    expect(issues.find(({ code }) => code === 'SKINS_APART')?.message).toMatch(
      /^Skins with the skeletons ".*001" do not/,
    );
  });

  it('leave two characters at different positions to choose from', async () => {
    const file = await dressed({ offset: [1, 0, 0] });
    expect(() => chooseHumanoid(file, 'target', {})).toThrow('has 2 humanoid skeletons; choose one');
  });

  it('need no choice where copies are humanoids', async () => {
    expect(chooseHumanoid(await dressed({}), 'target', {}).index).toBe(0);
  });

  it('move with the character for any part of the skeleton', async () => {
    const options = { numRuns: 8 };
    const property = fc.asyncProperty(
      fc.array(
        fc.constantFrom<string>('Spine', 'LeftArm', 'RightHand', 'LeftUpLeg', 'RightFoot', 'Head', 'LeftHandIndex2'),
        {
          minLength: 1,
        },
      ),
      fc.constantFrom(0.01, 1, 10),
      fc.boolean(),
      async (names, scale, inArmature) => {
        const form: OutfitForm = { joints: (name) => names.includes(name), scale: inArmature ? 1 : scale, inArmature };
        const { pairs, meters } = differenceOfCopies(
          await walkOn(await dressed(form), { output: 'out.glb', contacts: 'off', edits: { keys: 'exact' } }),
        );
        expect(pairs).toBeGreaterThan(0);
        expect(meters).toBeLessThan(2e-5);
      },
    );
    await fc.assert(property, options);
  });
});

describe.skipIf(!HAS_ASSETS)('the case 04-outfit-skeleton', () => {
  it('has a shirt that moves with the body', async () => {
    const [motion, character] = await Promise.all([
      openFile(asset('cases/02-negative-scale/walk.glb')),
      openFile(asset('cases/04-outfit-skeleton/body_and_shirt.glb')),
    ]);
    const { outputs } = await retargetMotions([motion], character, {
      output: 'out.glb',
      contacts: 'off',
      edits: { keys: 'exact' },
    });
    const { pairs, meters } = differenceOfCopies(await openBytes(concatParts(outputs[0].parts), { name: 'out.glb' }));
    expect(pairs).toBe(53);
    expect(meters).toBeLessThan(2e-5);
  });
});
