import { Logger, NodeIO } from '@gltf-transform/core';
import { describe, expect, it } from 'vitest';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import { defineHumanoid, type HumanoidSkeletons, retarget } from '../../../src/engines/gltf-transform/index.ts';
import { parseGltf, readSkeletonDefinitions } from '../../../src/formats/gltf/index.ts';
import { bytesOf, demoDocument, roundTrip } from './documents.ts';

describe('defineHumanoid', () => {
  it('writes the detected bones, with a root above all of them', async () => {
    const document = await demoDocument('mixamo.glb');
    await document.transform(defineHumanoid());
    const [definition] = readSkeletonDefinitions(parseGltf(await bytesOf(document))).definitions;
    const names = document
      .getRoot()
      .listNodes()
      .map((node) => node.getName());
    expect(Object.keys(definition.bones).length).toBeGreaterThan(50);
    expect(names[definition.bones.leftHand as number]).toMatch(/LeftHand$/);
    expect(definition.rootNode).toBeGreaterThanOrEqual(0);
  });

  it('says which extension the IO needs that writes the document', async () => {
    const document = await demoDocument('mixamo.glb');
    const lines: string[] = [];
    const log = (text: string): void => void lines.push(text);
    document.setLogger({ debug: log, info: log, warn: log, error: log });
    await document.transform(defineHumanoid(), defineHumanoid());
    const about = lines.filter((line) => line.includes('registerExtensions([EXTSkeletonHumanoid])'));
    expect(about.length).toBe(1);
    // An IO without it drops the definition.
    const plain = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    const dropped = parseGltf(await plain.writeBinary(document));
    expect(readSkeletonDefinitions(dropped).definitions).toEqual([]);
  });

  it('leaves a document with a definition unchanged', async () => {
    const document = await demoDocument('mixamo.glb');
    await document.transform(defineHumanoid(), defineHumanoid());
    const read = await roundTrip(document);
    const list = read.getRoot().getExtension<HumanoidSkeletons>('EXT_skeleton_humanoid')?.listSkeletons() ?? [];
    expect(list.length).toBe(1);
    expect(list[0].listBones()).toEqual(BONES.filter((bone) => list[0].getBone(bone) !== null));
  });

  it('adds a skin for bones that are in no skin', async () => {
    const document = await demoDocument('mixamo.glb');
    for (const skin of document.getRoot().listSkins()) skin.dispose();
    await document.transform(defineHumanoid());
    const [skin] = document.getRoot().listSkins();
    const [skeleton] = (document.getRoot().getExtension('EXT_skeleton_humanoid') as HumanoidSkeletons).listSkeletons();
    expect(skin.listJoints().length).toBe(skeleton.listBones().length);
  });

  it('defines the humanoid that retarget uses', async () => {
    const document = await demoDocument('mixamo.glb');
    await document.transform(defineHumanoid(), retarget(await demoDocument('walk.glb')));
    expect(document.getRoot().listAnimations().length).toBe(1);
  });
});
