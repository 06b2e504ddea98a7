import { describe, expect, it } from 'vitest';
import { BONE } from '../../src/core/humanoid/bones.ts';
import type { OpenFile } from '../../src/files/open.ts';
import { type DrawnSkeleton, drawnSkeletons } from '../../src/preview/drawn-skeleton.ts';
import { clipRow, columnTimes, largeRow, namesRow, posesRow } from '../../src/preview/sheet-row.ts';
import { distinctPoses } from '../../src/preview/skeleton-poses.ts';
import { openDemo } from '../support/make/demo-files.ts';

async function bodyOf(name: string): Promise<{ file: OpenFile; body: DrawnSkeleton }> {
  const file = await openDemo(name);
  const [body] = drawnSkeletons(file);
  return { file, body };
}

describe('clipRow', () => {
  it.each(['walk.glb', 'turn.bvh'])(
    'stands %s up in meters, facing +Z, from the start of its clip to the end',
    async (name) => {
      const { file, body } = await bodyOf(name);
      const clip = file.asset.clips[0].clips[0];
      const row = clipRow(body, clip, columnTimes(clip.duration, 5), { title: 'a', source: true });
      expect(row).toMatchObject({ title: 'a', source: true, height: body.humanoid!.height });
      expect(row.frames).toHaveLength(5);
      expect(row.labels).toEqual([0, 1, 2, 3, 4].map((k) => `${((clip.duration * k) / 4).toFixed(2)} s`));
      const at = (frame: number, bone: number): number[] => {
        const node = body.humanoid!.map.nodes[bone];
        return [0, 1, 2].map((axis) => row.frames[frame][3 * node + axis]);
      };
      const { hipsHeight } = body.humanoid!;
      for (let frame = 0; frame < 5; frame++) expect(at(frame, BONE.hips)[1]).toBeGreaterThan(0.8 * hipsHeight);
      expect(at(0, BONE.leftUpperLeg)[0]).toBeGreaterThan(at(0, BONE.rightUpperLeg)[0]);
      const [start, end] = [at(0, BONE.hips), at(4, BONE.hips)];
      if (name === 'walk.glb') expect(end[2] - start[2]).toBeGreaterThan(1);
      // Half a turn brings the left side to the right.
      else expect(at(4, BONE.leftUpperLeg)[0]).toBeLessThan(at(4, BONE.rightUpperLeg)[0]);
    },
  );

  it('draws few figures larger', async () => {
    const { file, body } = await bodyOf('walk.glb');
    const sizes = [1, 4, 8].map((count) => {
      return clipRow(body, file.asset.clips[0].clips[0], columnTimes(2, count), { title: '' }).figure ?? 118;
    });
    expect(sizes[0]).toBeGreaterThan(sizes[1]);
    expect(sizes[1]).toBeGreaterThan(sizes[2]);
  });
});

describe('columnTimes', () => {
  it('spaces times evenly, and returns one time for duration 0', () => {
    expect(columnTimes(2, 5)).toEqual([0, 0.5, 1, 1.5, 2]);
    expect(columnTimes(2, 1)).toEqual([0]);
    expect(columnTimes(0, 8)).toEqual([0]);
  });
});

describe('posesRow', () => {
  it('draws the poses with their names', async () => {
    const { body } = await bodyOf('mixamo.glb');
    const row = posesRow(body, { title: 'poses' });
    expect(row.labels).toEqual(expect.arrayContaining(['reference', 'node']));
    expect(row.frames).toHaveLength(row.labels!.length);
  });
});

describe('namesRow', () => {
  it('names the bones of the reference pose, fingers and face last', async () => {
    const { body } = await bodyOf('mixamo.glb');
    const { names, frames, labels } = namesRow(body, { title: '' });
    expect([frames.length, labels]).toEqual([1, ['reference']]);
    const found = Object.fromEntries(names!.map(({ name, joint }) => [name, joint]));
    expect(found['leftHand']).toBe(body.humanoid!.map.nodes[BONE.leftHand]);
    expect(Object.keys(found).findIndex((name) => /Index|Thumb|Eye/.test(name))).toBe(22);
    expect(names!.length).toBeGreaterThan(18);
  });
});

describe('largeRow', () => {
  it('is larger than a row of poses, with hands if the reference pose is first', async () => {
    const { body } = await bodyOf('mixamo.glb');
    const [reference, node] = distinctPoses(body);
    const row = largeRow(body, [reference, node], { title: 'poses' });
    expect(row).toMatchObject({ labels: ['reference', 'node'], hands: true });
    expect(row).not.toHaveProperty('names');
    expect(largeRow(body, [node], { title: 'poses' }).hands).toBe(false);
    expect(largeRow(body, [reference], { title: 'poses' }).figure).toBeGreaterThan(row.figure!);
  });

  it('labels nodes or bones, the close ones last', async () => {
    const { body } = await bodyOf('mixamo.glb');
    const poses = distinctPoses(body);
    const names = largeRow(body, poses, { title: 'poses' }, 'nodes').names!.map(({ name }) => name);
    expect(names[0]).toBe('mixamorig:Hips');
    expect(names.findIndex((name) => /Thumb|Index/.test(name))).toBeGreaterThan(names.indexOf('mixamorig:LeftToeBase'));
    expect(largeRow(body, poses, { title: 'poses' }, 'bones').names![0].name).toBe('hips');
  });
});
