import { readFileSync } from 'node:fs';
import { type JSONDocument, Logger, NodeIO } from '@gltf-transform/core';
import { describe, expect, it } from 'vitest';
import { EXTSkeletonHumanoid, type HumanoidTarget, retarget } from '../../../src/engines/gltf-transform/index.ts';
import { bytesOf, demoDocument, documentOf, roundTrip } from './documents.ts';

const IO = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions([EXTSkeletonHumanoid]);
const json = JSON.parse(
  readFileSync(new URL('../../corpus/ext-skeleton-humanoid/sound.gltf', import.meta.url), 'utf8'),
) as JSONDocument['json'];

/** The root extension. It is well-formed unless a test breaks it. */
interface Root {
  humanoidSkeletons: { rootNode: number; humanoidBones: Record<string, number> }[];
}
const rootOf = ({ extensions }: JSONDocument['json']): Root =>
  (extensions as unknown as Record<'EXT_skeleton_humanoid', Root>).EXT_skeleton_humanoid;

describe('EXTSkeletonHumanoid', () => {
  it('keeps skeletons and channels when a document is read and written', async () => {
    const document = await IO.readJSON({ json: structuredClone(json), resources: {} });
    const written = await IO.writeJSON(document);
    const [before] = rootOf(json).humanoidSkeletons;
    const [after] = rootOf(written.json).humanoidSkeletons;
    const named = (list: typeof json.nodes, bones: Record<string, number>) =>
      Object.fromEntries(Object.entries(bones).map(([bone, node]) => [bone, list?.[node].name]));
    expect(named(written.json.nodes, after.humanoidBones)).toEqual(named(json.nodes, before.humanoidBones));
    expect(written.json.nodes?.[after.rootNode].name).toBe(json.nodes?.[before.rootNode].name);
    expect(written.json.extensionsUsed).toEqual(['EXT_skeleton_humanoid']);
    expect(written.json.animations?.[0].channels.map(({ target }) => JSON.parse(JSON.stringify(target)))).toEqual(
      json.animations?.[0].channels.map(({ target }) => target),
    );
  });

  it('createTarget sets the bone of a channel', async () => {
    const document = await demoDocument('walk.glb');
    const extension = document.createExtension(EXTSkeletonHumanoid);
    const [channel] = document.getRoot().listAnimations()[0].listChannels();
    channel.setExtension('EXT_skeleton_humanoid', extension.createTarget('jaw'));
    const [read] = (await roundTrip(document)).getRoot().listAnimations()[0].listChannels();
    expect(read.getExtension<HumanoidTarget>('EXT_skeleton_humanoid')?.getHumanoidBoneName()).toBe('jaw');
    expect(read.getTargetNode()).toBe(null);
  });

  it('reads humanoid channels that retarget applies to a character', async () => {
    const clips = await IO.readJSON({ json: structuredClone(json), resources: {} });
    const document = await documentOf(await bytesOf(await demoDocument('mixamo.glb')));
    await document.transform(retarget(clips));
    const [animation] = document.getRoot().listAnimations();
    expect(animation.getName()).toBe('nod');
    const names = animation.listChannels().map((channel) => channel.getTargetNode()?.getName());
    expect(names.some((name) => name?.endsWith('Head'))).toBe(true);
  });

  it('says which extension to register when a file with humanoid channels was read without it', async () => {
    const unregistered = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    const clips = await unregistered.readJSON({ json: structuredClone(json), resources: {} });
    const document = await demoDocument('mixamo.glb');
    await expect(document.transform(retarget(clips))).rejects.toThrow(
      /channels of the animation "nod" have no target node.* register .*registerExtensions\(\[EXTSkeletonHumanoid\]\)/,
    );
    expect(document.getRoot().listAnimations()).toEqual([]);
  });

  it('skips invalid definitions, bones and nodes', async () => {
    const broken = structuredClone(json);
    const extension = rootOf(broken) as { humanoidSkeletons: unknown[] };
    extension.humanoidSkeletons = [null, { rootNode: 99, humanoidBones: { nose: 1, head: 99, hips: 0 } }];
    const document = await IO.readJSON({ json: broken, resources: {} });
    const written = rootOf((await IO.writeJSON(document)).json);
    expect(written.humanoidSkeletons).toEqual([{ humanoidBones: { hips: expect.any(Number) } }]);
  });
});
