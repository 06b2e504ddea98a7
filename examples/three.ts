/**
 * Retargets an animation from one model to another in three.js.
 *
 *     npx tsx examples/three.ts walk.glb hero.glb
 */
import { readFile } from 'node:fs/promises';
import { retargetAnimationClip } from 'anyrig/three';
import { AnimationMixer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const [motionPath, characterPath] = process.argv.slice(2);
const loader = new GLTFLoader();
const load = async (path: string) => loader.parseAsync(new Uint8Array(await readFile(path)).buffer, '');
const motion = await load(motionPath);
const character = await load(characterPath);

const { clip, issues } = retargetAnimationClip(motion.animations[0], motion.scene, character.scene);
for (const { code, message } of issues) console.log(`${code}: ${message}`);

const mixer = new AnimationMixer(character.scene);
mixer.clipAction(clip).play();
mixer.update(0.5);
console.log(`${clip.name}: ${clip.duration.toFixed(2)} s, ${clip.tracks.length} tracks`);
