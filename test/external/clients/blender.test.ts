import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { HAS_BLENDER, importInBlender } from './blender.ts';
import { AT_KEYS, BETWEEN_KEYS } from './limits.ts';
import { convertTo, inputs, largestDistances, type Output, outputAt, retargetTo } from './outputs.ts';

const folder = temporaryFolder();

describe.skipIf(!HAS_BLENDER)('Blender', () => {
  it('imports all outputs with one armature and one action per clip, and shows the poses that were written', async () => {
    const outputs: Output[] = [];
    for (const { name, motion, character, avatar } of await inputs()) {
      const at = (rest: string): string => folder(`${name}-${rest}`);
      outputs.push(
        await retargetTo(at('new.glb'), motion, character, { replace: true }),
        await retargetTo(at('new.gltf'), motion, character, { replace: true }),
        await retargetTo(at('skeleton.glb'), motion, character, { mesh: false }),
        await convertTo(at('motion.glb'), motion),
        await retargetTo(at('new.bvh'), motion, character, { mesh: false }),
      );
      // Blender opens a VRM Animation as a GLB.
      const { path, clip } = await retargetTo(at('new.vrma'), motion, avatar);
      copyFileSync(path, at('vrma.glb'));
      outputs.push(await outputAt(at('vrma.glb'), clip));
    }
    const imported = importInBlender(outputs, folder());
    for (const [k, output] of outputs.entries()) {
      const { armatures, actions, active, positions } = imported[k];
      const file = output.path.slice(output.path.lastIndexOf('/') + 1);
      expect([file, armatures, actions.length]).toEqual([file, 1, output.clipCount]);
      expect([file, active.length]).toEqual([file, 1]);
      const { atKeys, between } = largestDistances(output, positions);
      expect(atKeys, `${file} at keys`).toBeLessThan(AT_KEYS);
      // Between the frames of a BVH, Blender interpolates Euler angles one by one.
      const limit = file.endsWith('.bvh') ? 2 * BETWEEN_KEYS : BETWEEN_KEYS;
      expect(between, `${file} between keys`).toBeLessThan(limit);
    }
  }, 170_000);

  it('starts an edited GLB with the clip that the report names, and a new file with the new one', async () => {
    const { motion, character } = (await inputs()).at(-1)!;
    const edited = await retargetTo(folder('edited.glb'), motion, character);
    const [{ actions, active }] = importInBlender([edited], folder());
    expect(actions).toHaveLength(edited.clipCount);
    if (edited.clipCount > 1) expect(active[0]).not.toContain(edited.clip);
  }, 60_000);
});
