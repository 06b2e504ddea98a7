import { readFileSync } from 'node:fs';
import { extractMotions, openBytes, retargetMotions } from 'anyrig/files';
import { concatParts } from 'anyrig/gltf';
import { afterEach, describe, expect, it } from 'vitest';
import { DEMO_CHARACTERS, DEMO_MOTIONS } from '../../../src/demo/index.ts';
import { MOTION_DEFAULTS } from '../../../studio/src/app/motion-options.ts';
import { DETECTED } from '../../../studio/src/app/project.ts';
import { bones, figure, glb, mirroredPose, rotatedPose, sourceClip } from '../../../studio/src/engine/describe.ts';
import { close, open } from '../../../studio/src/engine/open-files.ts';
import { measure, retarget } from '../../../studio/src/engine/retarget.ts';
import { extract, pose, sheet, write } from '../../../studio/src/engine/take-away.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { outfitGlb } from '../../support/make/outfit-glb.ts';

/** No trim, and the speed of the motion. */
const WHOLE = { trim: null, skipFirstPose: false, speed: 1 } as const;
const NOTHING = new Map<string, Uint8Array>();
const demo = (name: string): Uint8Array => {
  const file = [...DEMO_MOTIONS, ...DEMO_CHARACTERS].find((one) => one.name === name);
  if (file === undefined) throw new Error(`${name} is not a file of the demo`);
  return file.bytes();
};
const openDemo = async (...names: string[]): Promise<void> => {
  for (const name of names) await open(name, name, demo(name), NOTHING);
};
const request = (motion: string, character: string) => ({
  motion,
  clip: 0,
  character,
  options: MOTION_DEFAULTS,
  source: DETECTED,
  target: DETECTED,
});
const writing = { replace: false, mesh: true };
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

afterEach(() => {
  for (const { name } of [...DEMO_MOTIONS, ...DEMO_CHARACTERS]) close(name);
});

describe('files of the page', () => {
  it('open: says whether a file is a motion, a character, or both', async () => {
    const roles = [];
    for (const name of ['turn.bvh', 'child.vrm', 'walk.glb']) {
      roles.push((await open(name, name, demo(name), NOTHING)).role);
    }
    expect(roles).toEqual(['motion', 'character', 'both']);
  });

  it.runIf(IS_FULL_RUN)('open: a standard rig is a character, and a motion is written on it', async () => {
    await openDemo('turn.bvh');
    const { role, humanoid } = await open('rig', 'rig://ue5', new Uint8Array(), NOTHING);
    expect([role, humanoid?.bones['leftUpperArm']?.name]).toEqual(['character', 'upperarm_l']);
    const [file] = await write({ ...request('turn.bvh', 'rig'), ...writing, output: 'turn.fbx' });
    const { asset: found } = await openBytes(file.bytes, { name: file.path });
    expect(found.skeletons[0].skeleton.names.slice(0, 3)).toEqual(['root', 'pelvis', 'spine_01']);
    close('rig');
  });

  /** Two people, with the names of a Mixamo rig each, as copies of a character have them. */
  const openTwo = () => {
    const group = [0, 200].map((x) => ({ rename: (name: string) => name, at: [x, 0, 0] as const }));
    return open('two', 'two.fbx', walkFbx('binary', { fps: 5, group }), NOTHING);
  };

  it('open: a file with several people lists them, and each has joints of its own', async () => {
    const { people } = await openTwo();
    expect(people.map(({ skeleton }) => skeleton)).toEqual([0, 1]);
    const [{ joints: first }, { joints: second }] = [
      await figure('two', { ...DETECTED, skeleton: 0 }),
      await figure('two', { ...DETECTED, skeleton: 1 }),
    ];
    expect(second[5].node).not.toBe(first[5].node);
    close('two');
  });

  it.runIf(IS_FULL_RUN)('open: each of several people is the motion or the character, with its own pose', async () => {
    const { people } = await openTwo();
    await openDemo('walk.glb', 'mixamo.glb');
    for (const { skeleton } of people) {
      const one = { ...DETECTED, skeleton };
      const { joints } = await figure('two', one);
      expect(joints.filter(({ bone }) => bone === 'hips')).toHaveLength(1);
      const asCharacter = await retarget({ ...request('walk.glb', 'two'), target: one });
      expect(asCharacter.clip).not.toBeNull();
      const turned = await rotatedPose('two', one, { bone: 'leftUpperArm', axis: 'z', degrees: -60 });
      if (turned === null) throw new Error('no pose');
      const plain = await retarget({ ...request('two', 'mixamo.glb'), source: one });
      const posed = await retarget({ ...request('two', 'mixamo.glb'), source: { ...one, pose: turned } });
      const values = ({ clip }: typeof plain) => clip?.tracks.map((track) => [...track.values]);
      expect(values(posed)).not.toEqual(values(plain));
      const detected = Object.entries((await bones('two', one)).bones);
      const map = Object.fromEntries(detected.map(([bone, { node }]) => [bone, node]));
      const mapped = await retarget({ ...request('two', 'mixamo.glb'), source: { ...one, map } });
      expect(values(mapped)).toEqual(values(plain));
    }
    close('two');
  });

  it('open: a library has no people but the rigs of its clips, each of which plays and is shown', async () => {
    const inputs = await Promise.all(['walk.glb', 'turn.bvh'].map((name) => openBytes(demo(name), { name })));
    await openDemo('mixamo.glb');
    for (const motions of [inputs, inputs.slice(0, 1)]) {
      const { outputs } = await extractMotions(motions, { output: 'library.glb' });
      const { people, clips } = await open('library', 'library.glb', concatParts(outputs[0].parts), NOTHING);
      expect(people).toEqual([]);
      for (const clip of clips.keys()) {
        expect((await retarget({ ...request('library', 'mixamo.glb'), clip })).clip?.tracks.length).toBeGreaterThan(20);
      }
      // Several rigs have no nodes that the stage could show.
      if (motions.length === 1) expect((await sourceClip('library', 0, WHOLE))?.tracks.length).toBeGreaterThan(20);
      close('library');
    }
  });

  it('open: clothes with a skeleton of their own are no people', async () => {
    expect((await open('dressed', 'dressed.glb', outfitGlb({}), NOTHING)).people).toEqual([]);
    close('dressed');
  });

  it('open: a file that references others finds them among the files that were dropped with it', async () => {
    const gltf = { asset: { version: '2.0' }, buffers: [{ uri: 'a%20b.bin', byteLength: 4 }] };
    const bytes = new TextEncoder().encode(JSON.stringify(gltf));
    const summary = await open('gltf', 'a.gltf', bytes, new Map([['a b.bin', new Uint8Array(4)]]));
    expect([summary.role, summary.reason]).toEqual(['neither', 'It has no skeleton.']);
    close('gltf');
  });

  it('figure: a BVH becomes a GLB, and its joints are nodes of it', async () => {
    await openDemo('turn.bvh');
    const { joints, humanoid } = await figure('turn.bvh', DETECTED);
    const shown = await openBytes(await glb('turn.bvh'));
    expect(shown.format).toBe('gltf');
    const { names } = shown.asset.skeletons[0].skeleton;
    for (const { name } of joints) expect(names).toContain(name);
    expect(joints.filter(({ bone }) => bone === 'hips')).toHaveLength(1);
    expect(humanoid?.rotations.length).toBeGreaterThan(10);
  });

  it('sourceClip: keys are on the nodes of the figure', async () => {
    await openDemo('turn.bvh');
    const [clip, { joints }] = [await sourceClip('turn.bvh', 0, WHOLE), await figure('turn.bvh', DETECTED)];
    const nodes = new Set(joints.map(({ node }) => node));
    expect(clip?.tracks.length).toBeGreaterThan(10);
    expect(clip?.tracks.every(({ node }) => nodes.has(node))).toBe(true);
  });

  it('sourceClip: is as long as the result that is trimmed and faster', async () => {
    await openDemo('turn.bvh', 'unreal.glb');
    const timing = { trim: [0.2, 0.8] as const, skipFirstPose: false, speed: 2 };
    const clip = await sourceClip('turn.bvh', 0, timing);
    const asked = request('turn.bvh', 'unreal.glb');
    const result = await retarget({ ...asked, options: { ...MOTION_DEFAULTS, ...timing, contacts: 'off' } });
    expect(clip?.duration).toBeCloseTo(0.3, 6);
    expect(result.clip?.duration).toBeCloseTo(0.3, 6);
  });

  it('a file that is not open is a RangeError', async () => {
    await expect(glb('nowhere')).rejects.toThrow(RangeError);
  });
});

describe('decisions about humanoids', () => {
  it('bones: the map has reasons, and a map of the user replaces it', async () => {
    await openDemo('unreal.glb');
    const { bones: found, json } = await bones('unreal.glb', DETECTED);
    expect(found.hips?.why).toBeTypeOf('string');
    const { bones: map } = JSON.parse(json) as { bones: Record<string, string> };
    const { leftEye: _, ...without } = map;
    const edited = await bones('unreal.glb', { ...DETECTED, map: without });
    expect(JSON.parse(edited.json)).toEqual({ bones: without });
  });

  it('bones: the presets are maps by naming conventions, the best first, none twice', async () => {
    await openDemo('unreal.glb');
    const { presets, bones: found } = await bones('unreal.glb', DETECTED);
    expect(presets[0].convention).toMatch(/^unreal/);
    expect(presets[0].bones.leftHand).toBe(found.leftHand?.node);
    expect(new Set(presets.map((preset) => JSON.stringify(preset.bones))).size).toBe(presets.length);
  });

  it('figure: the pose of another file is matched by names', async () => {
    await openDemo('mixamo.glb');
    await open('posed', 'posed.glb', demo('mixamo.glb'), NOTHING);
    const { humanoid } = await figure('mixamo.glb', { ...DETECTED, pose: { kind: 'file', file: 'posed' } });
    expect(humanoid?.pose.from).toContain('posed.glb');
    close('posed');
    const gone = figure('mixamo.glb', { ...DETECTED, pose: { kind: 'file', file: 'posed' } });
    await expect(gone).rejects.toThrow(RangeError);
  });

  it('figure: an edited pose becomes the reference pose', async () => {
    await openDemo('mixamo.glb');
    const { humanoid } = await figure('mixamo.glb', DETECTED);
    const [first] = humanoid?.rotations ?? [];
    const rotation = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
    const edited = { kind: 'edited', skeleton: 0, rotations: [{ node: first.node, rotation }] } as const;
    const changed = await figure('mixamo.glb', { ...DETECTED, pose: edited });
    expect(changed.humanoid?.pose).toMatchObject({ kind: 'given', from: 'studio' });
    const again = changed.humanoid?.rotations.find(({ node }) => node === first.node);
    rotation.forEach((value, k) => {
      expect(again?.rotation[k]).toBeCloseTo(value, 6);
    });
  });

  it('rotatedPose: the retargeted motion changes with the pose, and the pose is what was asked for', async () => {
    await openDemo('walk.glb', 'mixamo.glb');
    const pose = await rotatedPose('mixamo.glb', DETECTED, { bone: 'leftUpperArm', axis: 'z', degrees: -30 });
    if (pose === null) throw new Error('no pose');
    const target = { ...DETECTED, pose };
    const shown = await figure('mixamo.glb', target);
    expect(shown.humanoid?.pose.deviationDegrees.leftArm).toBeCloseTo(30, 1);
    const [before, after] = [
      await retarget(request('walk.glb', 'mixamo.glb')),
      await retarget({ ...request('walk.glb', 'mixamo.glb'), target }),
    ];
    expect(after.clip?.tracks.map(({ values }) => values)).not.toEqual(before.clip?.tracks.map(({ values }) => values));
  });

  it('figure: the reference pose of a BVH, whose nodes start at the origin, is on the ground', async () => {
    await openDemo('turn.bvh');
    const { humanoid } = await figure('turn.bvh', DETECTED);
    if (humanoid === null) throw new Error('no humanoid');
    expect(humanoid.hipsTranslation[1] * humanoid.metersPerUnit).toBeGreaterThan(0.5);
  });

  it('mirroredPose: a T-pose stays as it is', async () => {
    await openDemo('mixamo.glb');
    const { humanoid } = await figure('mixamo.glb', DETECTED);
    const mirrored = await mirroredPose('mixamo.glb', DETECTED);
    if (mirrored?.kind !== 'edited') throw new Error('no pose');
    for (const [k, { rotation }] of mirrored.rotations.entries()) {
      const before = humanoid?.rotations[k].rotation ?? [0, 0, 0, 0];
      const dot = rotation.reduce((sum, value, axis) => sum + value * before[axis], 0);
      expect(Math.abs(dot)).toBeGreaterThan(0.999);
    }
  });
});

describe('results', () => {
  it('retarget: the clip is on nodes of the character', async () => {
    await openDemo('walk.glb', 'child.vrm');
    const { clip, hipsScale } = await retarget(request('walk.glb', 'child.vrm'));
    const nodes = new Set((await figure('child.vrm', DETECTED)).joints.map(({ node }) => node));
    expect(clip?.tracks.filter(({ path }) => path === 'rotation').every(({ node }) => nodes.has(node))).toBe(true);
    expect(hipsScale).toBeLessThan(1);
  });

  it('measure: a result has curves and lines', async () => {
    await openDemo('walk.glb', 'child.vrm');
    const { charts, lines } = (await measure(request('walk.glb', 'child.vrm'))) ?? {};
    expect(charts?.footHeight.target.length).toBe(charts?.slide.target.length);
    expect(lines?.marks.length).toBeGreaterThan(1);
  });

  it('measure: with contacts off, limbs are where the motion has them', async () => {
    await openDemo('walk.glb', 'giant.glb');
    const options = { ...MOTION_DEFAULTS, contacts: 'off' } as const;
    const measures = await measure({ ...request('walk.glb', 'giant.glb'), options });
    expect(Math.max(...(measures?.charts.poseError ?? [90]))).toBeLessThan(0.1);
  });

  it('measure: the figures are those of the request, whatever was retargeted since', async () => {
    await openDemo('walk.glb', 'giant.glb');
    const asked = request('walk.glb', 'giant.glb');
    await retarget(asked);
    const fresh = await measure(asked);
    await retarget({ ...asked, options: { ...MOTION_DEFAULTS, armSpace: 20, contacts: 'off' } });
    expect(await measure(asked)).toEqual(fresh);
  });

  it.each(sampledCases(['vrma', 'glb', 'bvh', 'usda'], 4))(
    'write: a .%s has the bytes of the library',
    async (format) => {
      await openDemo('wave.vrma', 'child.vrm');
      const output = `out.${format}`;
      const files = await write({ ...request('wave.vrma', 'child.vrm'), clip: null, output, ...writing });
      const [motion, character] = [
        await openBytes(demo('wave.vrma'), { name: 'wave.vrma' }),
        await openBytes(demo('child.vrm'), { name: 'child.vrm' }),
      ];
      const { outputs } = await retargetMotions([motion], character, { output });
      expect(files.map(({ path }) => path)).toEqual(outputs.map(({ path }) => path));
      for (const [k, { parts }] of outputs.entries()) expect(files[k].bytes).toEqual(concatParts(parts));
    },
  );

  it('extract: writes humanoid clips that any character can load', async () => {
    await openDemo('walk.glb');
    const [{ bytes }] = await extract({ ...request('walk.glb', ''), output: 'walk.clips.glb', ...writing });
    const { asset } = await openBytes(bytes);
    expect([asset.clips.length, asset.skeletons[0].isCanonicalRig]).toEqual([1, true]);
  });

  it('sheet: draws motion and result', async () => {
    await openDemo('walk.glb', 'child.vrm');
    const [{ path, bytes }] = await sheet({ ...request('walk.glb', 'child.vrm'), output: 'sheet.svg', ...writing });
    expect([path, text(bytes).startsWith('<svg')]).toEqual(['sheet.svg', true]);
  });

  it('pose: the written pose gives the same reference pose on the command line', async () => {
    await openDemo('unreal.glb');
    const [{ bytes }] = await pose('unreal.glb', DETECTED, 'unreal.pose.glb');
    const file = await openBytes(bytes, { name: 'unreal.pose.glb' });
    const [motion, character] = [await openBytes(demo('walk.glb')), await openBytes(demo('unreal.glb'))];
    const plain = await retargetMotions([motion], character, { output: 'a.vrma', contacts: 'off' });
    const target = { pose: { file, exact: true } };
    const posed = await retargetMotions([motion], character, { output: 'a.vrma', contacts: 'off', target });
    expect(posed.report.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    const rotations = async (outputs: typeof posed.outputs) => {
      const { asset } = await openBytes(concatParts(outputs[0].parts));
      return asset.clips[0].clips[0].tracks.find(({ path }) => path === 'rotation')?.values ?? [];
    };
    const [a, b] = [await rotations(plain.outputs), await rotations(posed.outputs)];
    expect(a.length).toBe(b.length);
    for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i])).toBeLessThan(1e-4);
  });
});

describe.skipIf(!HAS_ASSETS || !IS_FULL_RUN)('real files', () => {
  it('retarget: a Mixamo FBX goes on a VRM, and the FBX is shown as a GLB', async () => {
    const read = (name: string): Uint8Array => readFileSync(asset('assets', name));
    await open('walk', 'mixamo_Walking.fbx', read('fbx/mixamo_Walking.fbx'), NOTHING);
    const vrm = await open('vrm', 'Godette_vrm_v4.vrm', read('vrm/Godette_vrm_v4.vrm'), NOTHING);
    expect(vrm.role).toBe('character');
    expect((await openBytes(await glb('walk'))).format).toBe('gltf');
    const { clip, issues } = await retarget(request('walk', 'vrm'));
    expect(clip?.tracks.length).toBeGreaterThan(40);
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    close('walk');
    close('vrm');
  });
});
