/**
 * In a pipeline of glTF-Transform: a walk on a character, which is defined as a humanoid on the way.
 *
 *     npx tsx examples/gltf-transform.ts walk.glb hero.glb out.glb
 */
import { NodeIO } from '@gltf-transform/core';
import { EXTSkeletonHumanoid, humanoid, retarget } from 'anyrig/gltf-transform';

const [motionPath, characterPath, output] = process.argv.slice(2);
const io = new NodeIO().registerExtensions([EXTSkeletonHumanoid]);
const character = await io.read(characterPath);
await character.transform(humanoid(), retarget(await io.read(motionPath)));
await io.write(output, character);
const names = character
  .getRoot()
  .listAnimations()
  .map((animation) => animation.getName());
console.log(`${output}: ${names.join(', ')}`);
