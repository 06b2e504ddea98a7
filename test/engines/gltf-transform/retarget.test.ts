import { KHRNodeVisibility } from '@gltf-transform/extensions';
import { describe, expect, it } from 'vitest';
import type { AssetClip } from '../../../src/core/asset/asset.ts';
import { retarget } from '../../../src/engines/gltf-transform/index.ts';
import { retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import { openBytes } from '../../../src/files/open.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { LAW_F32 } from '../../support/tolerances.ts';
import { bytesOf, demoDocument } from './documents.ts';

/** Returns the values of each track by node name and path. */
function tracksOf({ clips }: AssetClip, names: readonly (readonly string[])[]): Map<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  clips.forEach(({ tracks }, k) => {
    for (const { target, path, values } of tracks) found.set(`${names[k][target]} ${path}`, Array.from(values));
  });
  return found;
}

async function lastClip(bytes: Uint8Array): Promise<Map<string, readonly number[]>> {
  const { asset } = await openBytes(bytes);
  const names = asset.skeletons.map(({ skeleton }) => skeleton.names);
  return tracksOf(asset.clips[asset.clips.length - 1], names);
}

describe('retarget of glTF-Transform documents', () => {
  it.each([
    ['mixamo.glb', 'off'],
    ['blender.glb', 'off'],
    ['fighter.glb', 'off'],
    ['odd-axes.glb', 'off'],
    ['giant.glb', 'auto'],
  ] as const)('%s with contacts %s: gives the same tracks as retargetClips on the file', async (name, contacts) => {
    const document = await demoDocument(name);
    await document.transform(retarget(await demoDocument('walk.glb'), { contacts }));
    const own = await lastClip(await bytesOf(document));
    const { clips } = await retargetClips([await openDemo('walk.glb')], await openDemo(name), {
      contacts,
      edits: { keys: 'exact' },
    });
    const { asset } = await openDemo(name);
    const target = asset.skeletons[0];
    const expected = clips[0].clip.tracks;
    expect(own.size).toBe(expected.length);
    for (const { target: node, path, values } of expected) {
      const found = own.get(`${target.skeleton.names[node]} ${path}`) ?? [];
      expect(found.length).toBe(values.length);
      for (const [k, value] of found.entries())
        expect(Math.abs(value - values[k])).toBeLessThan(LAW_F32 * Math.max(1, Math.abs(values[k])));
    }
  });

  it('takes nothing that KHR_node_visibility hides for the body', async () => {
    const values = async (hasProxy: boolean): Promise<unknown> => {
      const document = await demoDocument('giant.glb');
      if (hasProxy) {
        const body = document
          .getRoot()
          .listNodes()
          .find((node) => node.getSkin() !== null)!;
        const mesh = body.getMesh()!.clone();
        for (const primitive of mesh.listPrimitives()) {
          const positions = primitive.getAttribute('POSITION')!.clone();
          positions.setArray(positions.getArray()!.map((value: number) => 2 * value));
          mesh.removePrimitive(primitive).addPrimitive(primitive.clone().setAttribute('POSITION', positions));
        }
        const proxy = document.createNode('proxy').setMesh(mesh).setSkin(body.getSkin());
        const group = document.createNode('group').addChild(proxy);
        const hidden = document.createExtension(KHRNodeVisibility).createVisibility().setVisible(false);
        document.getRoot().listScenes()[0].addChild(group.setExtension('KHR_node_visibility', hidden));
      }
      await document.transform(retarget(await demoDocument('walk.glb'), { contacts: 'auto' }));
      const [animation] = document.getRoot().listAnimations().slice(-1);
      return animation.listChannels().map((channel) => channel.getSampler()!.getOutput()!.getArray());
    };
    expect(await values(true)).toEqual(await values(false));
  });

  it('skips animations that clips excludes, and reports CLIP_EMPTY when none remains', async () => {
    const document = await demoDocument('mixamo.glb');
    const codes: string[] = [];
    const options = { clips: () => false, onIssue: ({ code }: { code: string }) => void codes.push(code) };
    await document.transform(retarget(await demoDocument('walk.glb'), options));
    expect(document.getRoot().listAnimations()).toEqual([]);
    expect(codes).toContain('CLIP_EMPTY');
  });

  it('changes nothing else: two runs add two equal animations', async () => {
    const document = await demoDocument('mixamo.glb');
    const nodes = document.getRoot().listNodes().length;
    const source = await demoDocument('walk.glb');
    await document.transform(retarget(source), retarget(source));
    const [first, second] = document.getRoot().listAnimations();
    expect(document.getRoot().listNodes().length).toBe(nodes);
    expect(first.listChannels().length).toBe(second.listChannels().length);
    expect(source.getRoot().listAnimations().length).toBe((await openBytes(demoBytes('walk.glb'))).asset.clips.length);
  });

  it('throws a RangeError for a document without a humanoid', async () => {
    const document = await demoDocument('mixamo.glb');
    for (const node of document.getRoot().listNodes()) node.dispose();
    await expect(document.transform(retarget(await demoDocument('walk.glb')))).rejects.toThrow(RangeError);
  });
});
