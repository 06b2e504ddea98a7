import { describe, expect, it } from 'vitest';
import type { Clip } from '../../src/core/animation/clip.ts';
import type { AssetSkeleton } from '../../src/core/asset/asset.ts';
import { checkIsVrm, readAgain, wholeAnimation } from '../../src/files/convert-document.ts';
import { createDocument } from '../../src/formats/gltf/document.ts';
import { openDemo } from '../make/demo-files.ts';

describe('checkIsVrm', () => {
  it('lets VRMs be VRMs and nothing else', async () => {
    const [vrm, glb] = [await openDemo('child.vrm'), await openDemo('walk.glb')];
    expect(() => checkIsVrm(vrm, 'vrm')).not.toThrow();
    expect(() => checkIsVrm(glb, 'glb')).not.toThrow();
    expect(() => checkIsVrm(glb, 'vrm')).toThrow(/walk\.glb is no VRM/);
  });
});

describe('readAgain', () => {
  it('gives the document as it was before edits', async () => {
    const { document } = await openDemo('walk.glb');
    const { json } = document!;
    const before = structuredClone(json);
    json['animations'] = [];
    expect(readAgain(document!).json).toEqual(before);
  });

  it('refuses documents that were never read', () => {
    expect(() => readAgain(createDocument())).toThrow(RangeError);
  });
});

describe('wholeAnimation', () => {
  it('joins the clips of skeletons, what they share once', () => {
    const track = (target: number) => ({
      target,
      path: 'rotation' as const,
      interpolation: 'LINEAR' as const,
      times: Float64Array.of(0),
      values: Float64Array.of(0, 0, 0, 1),
    });
    const clip = (duration: number, ...targets: number[]): Clip => ({ name: '', duration, tracks: targets.map(track) });
    const part = (...nodes: number[]) => ({ sourceNodes: Int32Array.from(nodes) }) as unknown as AssetSkeleton;
    const { clip: joined, sourceNodes } = wholeAnimation(
      { name: 'both', clips: [clip(1, 0, 1), clip(2, 0, 2)], morphs: [] },
      [part(5, 6), part(5, 7, 8)],
    );
    expect(joined).toMatchObject({ name: 'both', duration: 2 });
    expect(joined.tracks.map(({ target }) => sourceNodes[target])).toEqual([5, 6, 8]);
  });
});
