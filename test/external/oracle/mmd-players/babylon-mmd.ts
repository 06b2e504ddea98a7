/** Plays VMDs on PMXs in babylon-mmd, in a process of its own: `tsx babylon-mmd.ts STEP MODEL MOTION OUTPUT …` writes the positions of all bones at every STEP-th frame. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Bone } from '@babylonjs/core/Bones/bone.js';
import { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { Matrix } from '@babylonjs/core/Maths/math.vector.js';
import { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { Scene } from '@babylonjs/core/scene.js';

// biome-ignore lint/suspicious/noExplicitAny: the declarations of babylon-mmd need a bundler.
const load = (path: string): Promise<any> => import(`babylon-mmd/esm/${path}.js`);

const [step, ...paths] = process.argv.slice(2);
const bufferOf = (path: string): ArrayBuffer => new Uint8Array(readFileSync(path)).buffer;
const { PmxReader } = await load('Loader/Parser/pmxReader');
const { VmdLoader } = await load('Loader/vmdLoader');
const { MmdModel } = await load('Runtime/mmdModel');
await load('Runtime/Animation/mmdRuntimeModelAnimation');

const scene = new Scene(new NullEngine());
const logger = { log: () => {}, warn: () => {}, error: () => {} };

async function play(modelPath: string, motionPath: string, output: string): Promise<void> {
  const pmx = await PmxReader.ParseAsync(bufferOf(modelPath), logger);
  const skeleton = new Skeleton('model', 'model', scene);
  const bones: Bone[] = [];
  for (const { name, parentBoneIndex, position } of pmx.bones) {
    const parent = pmx.bones[parentBoneIndex]?.position ?? [0, 0, 0];
    const rest = Matrix.Translation(position[0] - parent[0], position[1] - parent[1], position[2] - parent[2]);
    bones.push(new Bone(name, skeleton, bones[parentBoneIndex] ?? null, rest, undefined, undefined, bones.length));
  }
  const mesh = new Mesh('mesh', scene);
  mesh.metadata = {
    header: pmx.header,
    bones: pmx.bones,
    rigidBodies: [],
    joints: [],
    morphs: [],
    meshes: [],
    materials: [],
    skeleton,
  };
  const model = new MmdModel(mesh, skeleton, null, null, false, logger);
  const animation = await new VmdLoader(scene).loadFromBufferAsync('dance', bufferOf(motionPath));
  model.setRuntimeAnimation(model.createRuntimeAnimation(animation), false);
  const frames: number[][] = [];
  for (let frame = 0; frame <= animation.endFrame; frame += Number(step)) {
    model.beforePhysics(frame);
    model.afterPhysics();
    const matrices: Float32Array = model.worldTransformMatrices;
    frames.push(
      bones.flatMap((_, bone) => [matrices[16 * bone + 12], matrices[16 * bone + 13], -matrices[16 * bone + 14]]),
    );
  }
  writeFileSync(output, JSON.stringify(frames));
}

for (let k = 0; k < paths.length; k += 3) await play(paths[k], paths[k + 1], paths[k + 2]);
process.exit(0);
