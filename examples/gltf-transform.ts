/**
 * Defines a character as a humanoid and retargets a motion to it, with glTF-Transform.
 *
 *     npx tsx examples/gltf-transform.ts walk.glb hero.glb out.glb
 */
import { NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { defineHumanoid, EXTSkeletonHumanoid, retarget } from 'anyrig/gltf-transform';

const [motionPath, characterPath, output] = process.argv.slice(2);
const io = new NodeIO().registerExtensions([...ALL_EXTENSIONS, EXTSkeletonHumanoid]);
const character = await io.read(characterPath);
await character.transform(defineHumanoid(), retarget(await io.read(motionPath)));
await io.write(output, character);
const names = character
  .getRoot()
  .listAnimations()
  .map((animation) => animation.getName());
console.log(`${output}: ${names.join(', ')}`);
