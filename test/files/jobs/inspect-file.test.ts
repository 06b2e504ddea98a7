import { describe, expect, it } from 'vitest';
import { MIXAMO_RIG, UNREAL_RIG } from '../../../src/demo/characters/rigs.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { describeFile } from '../../../src/files/jobs/describe-file.ts';
import { inspectFile } from '../../../src/files/jobs/inspect-file.ts';
import { openFile } from '../../../src/files/node.ts';
import { openBytes } from '../../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { documentOf } from '../../support/make/opened.ts';
import { gltfWithCharacters, PROP } from '../../support/make/two-characters.ts';

const open = (text: string) => openBytes(new TextEncoder().encode(text), { name: 'crowd.gltf' });

describe('inspectFile', () => {
  it('lists skeletons, humanoids and clips of a motion', async () => {
    const report = inspectFile(await openDemo('walk.glb'));
    expect(report).toMatchObject({ file: 'walk.glb', format: 'gltf' });
    expect(report.skeletons).toEqual([
      { name: 'Armature', index: 0, nodes: expect.any(Number), joints: expect.any(Number), humanoid: true },
    ]);
    expect(report.humanoids).toHaveLength(1);
    const [clip] = report.clips;
    expect(clip).toMatchObject({ name: 'walk', index: 0 });
    expect(clip.duration).toBeCloseTo(2.2, 5);
    expect(clip.keys).toBeGreaterThan(clip.tracks);
  });

  it('adds soles, radii and cloth to what describeFile finds without the surface', async () => {
    const file = await openDemo('child.vrm');
    const { humanoids, ...report } = inspectFile(file);
    const described = describeFile(file);
    expect(described).toMatchObject(report);
    const [{ soles, radii, cloth, ...humanoid }] = humanoids;
    expect(described.humanoids).toEqual([humanoid]);
    expect(soles?.from).toBe('skin');
    expect(Object.keys(radii ?? {})).toContain('head');
    expect(cloth).toBeGreaterThanOrEqual(0);
  });

  it('describes each humanoid, and gives the reason for other skeletons', async () => {
    const report = inspectFile(await open(gltfWithCharacters([MIXAMO_RIG, UNREAL_RIG], [PROP])));
    expect(report.humanoids.map(({ skeletonIndex }) => skeletonIndex)).toEqual([0, 1]);
    expect(report.skeletons.map(({ humanoid }) => humanoid)).toEqual([true, true, false]);
    expect(report.skeletons[2].reason).toMatch(/./);
    expect(report.issues.map(({ code }) => code)).not.toContain('NOT_HUMANOID');
  });

  it('reports NOT_HUMANOID with the reason without a humanoid', async () => {
    const props = inspectFile(await open(gltfWithCharacters([], [PROP, PROP])));
    expect(props.humanoids).toEqual([]);
    const [last] = props.issues.slice(-1);
    expect(last).toMatchObject({ code: 'NOT_HUMANOID', severity: 'error' });
    expect(last.message).toMatch(/crowd\.gltf is not humanoid \(skeleton "Lamp", one of 2\): ./);
    const nothing = inspectFile(await open(gltfWithCharacters([], [[{ name: 'Alone' }]])));
    expect(nothing.issues[0].message).toMatch(/no skeleton/);
    expect(nothing.skeletons).toEqual([]);
  });

  it('describes a humanoid as retargeting does, with or without clips', async () => {
    for (const name of ['walk.glb', 'blender.glb', 'turn.bvh', 'chibi.vrm']) {
      const file = await openDemo(name);
      const { found } = chooseHumanoid(file, 'source', {}, []);
      const [seen] = inspectFile(file).humanoids;
      expect(Object.values(seen.referencePose.rotations).flat()).toEqual(
        [...found!.humanoid.reference.rotations].filter((_, i) => found!.humanoid.map.nodes[i >> 2] >= 0),
      );
    }
  });

  it.skipIf(!HAS_ASSETS)('counts the channels of a shared ancestor of several skeletons once', async () => {
    const file = await openFile(asset('assets/glb/RobotExpressive.glb'));
    const animations = documentOf(file).json['animations'] as { channels: unknown[] }[];
    const report = inspectFile(file);
    for (const { index, tracks } of report.clips) expect(tracks).toBeLessThanOrEqual(animations[index].channels.length);
    expect(report.clips).toHaveLength(animations.length);
  });
});
