/**
 * Retargets an animation group from one model to another in Babylon.js.
 *
 *     npx tsx examples/babylon.ts walk.glb hero.glb
 */
import { readFile } from 'node:fs/promises';
import { LoadAssetContainerAsync, NullEngine, Scene, type TransformNode } from '@babylonjs/core';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { retargetAnimationGroup } from 'anyrig/babylon';

const [motionPath, characterPath] = process.argv.slice(2);
const scene = new Scene(new NullEngine());
const load = async (path: string) => {
  const container = await LoadAssetContainerAsync(new Uint8Array(await readFile(path)), scene, {
    pluginExtension: '.glb',
  });
  container.addAllToScene();
  return { root: container.rootNodes[0] as TransformNode, groups: container.animationGroups };
};
const motion = await load(motionPath);
const character = await load(characterPath);

const { group, issues } = retargetAnimationGroup(motion.groups[0], motion.root, character.root);
for (const { code, message } of issues) console.log(`${code}: ${message}`);
group.start(true);
console.log(
  `${group.name}: frames ${group.from.toFixed(1)} to ${group.to.toFixed(1)}, ${group.targetedAnimations.length} animations`,
);
process.exit(0);
