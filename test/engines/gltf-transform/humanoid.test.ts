import { describe, expect, it } from 'vitest';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import { type HumanoidSkeletons, humanoid, retarget } from '../../../src/engines/gltf-transform/index.ts';
import { parseGltf, readSkeletonDefinitions } from '../../../src/formats/gltf/index.ts';
import { again, bytesOf, demoDocument } from './documents.ts';

describe('defining the humanoid of a document of glTF-Transform', () => {
  it('writes the bones that inspecting finds, below a root that is above all of them', async () => {
    const document = await demoDocument('mixamo.glb');
    await document.transform(humanoid());
    const [definition] = readSkeletonDefinitions(parseGltf(await bytesOf(document))).definitions;
    const names = document
      .getRoot()
      .listNodes()
      .map((node) => node.getName());
    expect(Object.keys(definition.bones).length).toBeGreaterThan(50);
    expect(names[definition.bones.leftHand as number]).toMatch(/LeftHand$/);
    expect(definition.rootNode).toBeGreaterThanOrEqual(0);
  });

  it('leaves a document alone that defines one already', async () => {
    const document = await demoDocument('mixamo.glb');
    await document.transform(humanoid(), humanoid());
    const read = await again(document);
    const list = read.getRoot().getExtension<HumanoidSkeletons>('EXT_skeleton_humanoid')?.listSkeletons() ?? [];
    expect(list.length).toBe(1);
    expect(list[0].listBones()).toEqual(BONES.filter((bone) => list[0].getBone(bone) !== null));
  });

  it('makes joints of bones that no skin has', async () => {
    const document = await demoDocument('mixamo.glb');
    for (const skin of document.getRoot().listSkins()) skin.dispose();
    await document.transform(humanoid());
    const [skin] = document.getRoot().listSkins();
    const [skeleton] = (document.getRoot().getExtension('EXT_skeleton_humanoid') as HumanoidSkeletons).listSkeletons();
    expect(skin.listJoints().length).toBe(skeleton.listBones().length);
  });

  it('is obeyed when a motion is retargeted onto it', async () => {
    const document = await demoDocument('mixamo.glb');
    await document.transform(humanoid(), retarget(await demoDocument('walk.glb')));
    expect(document.getRoot().listAnimations().length).toBe(1);
  });
});
