/** Plays VMDs on PMXs in three.js with the MMD loader of three-stdlib, in a process of its own: `tsx three-mmd.ts STEP MODEL MOTION OUTPUT …` writes the positions of all bones at every STEP-th frame. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Bone, SkinnedMesh } from 'three';

// biome-ignore lint/suspicious/noExplicitAny: the inner parts of the loader are not declared.
const { MMDLoader, MMDAnimationHelper }: any = await import('three-stdlib');

const [step, ...paths] = process.argv.slice(2);
const bufferOf = (path: string): ArrayBuffer => new Uint8Array(readFileSync(path)).buffer;

function play(modelPath: string, motionPath: string, output: string): void {
  const loader = new MMDLoader();
  const parser = loader._getParser();
  const data = parser.parsePmx(bufferOf(modelPath), true);
  // Textures need a page, and only the bones are compared.
  data.metadata.materialCount = 0;
  data.metadata.morphCount = 0;
  data.materials = [];
  data.morphs = [];
  const mesh: SkinnedMesh = loader.meshBuilder.build(data, '');
  const vmd = parser.parseVmd(bufferOf(motionPath), true);
  // The loader reads the curves of z and rotation from the first row, where MMD has its switch of physics; the second row has them, one byte earlier.
  for (const { interpolation } of vmd.motions)
    for (const channel of [2, 3]) interpolation[channel] = interpolation[16 + channel - 1];
  const helper = new MMDAnimationHelper({ sync: false, pmxAnimation: true });
  helper.add(mesh, { animation: loader.animationBuilder.build(vmd, mesh), physics: false });
  const last = Math.max(...vmd.motions.map(({ frameNum }: { frameNum: number }) => frameNum));
  const frames: number[][] = [];
  for (let frame = 0; frame <= last; frame++) {
    helper.update(frame === 0 ? 0 : 1 / 30);
    if (frame % Number(step) !== 0) continue;
    mesh.updateMatrixWorld(true);
    frames.push(
      mesh.skeleton.bones.flatMap(({ matrixWorld: { elements } }: Bone) => [elements[12], elements[13], elements[14]]),
    );
  }
  writeFileSync(output, JSON.stringify(frames));
}

for (let k = 0; k < paths.length; k += 3) play(paths[k], paths[k + 1], paths[k + 2]);
