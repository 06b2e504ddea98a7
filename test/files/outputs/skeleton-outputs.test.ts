import { describe, expect, it } from 'vitest';
import type { AnimatedSkeleton } from '../../../src/files/adapters/format-adapter.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { openBytes } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { outputFormat } from '../../../src/files/outputs/output-format.ts';
import { createOutputWriter } from '../../../src/files/outputs/plan-output.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { bvhTreeOf, documentOf } from '../../support/make/opened.ts';

async function skeletonOf(name: string): Promise<AnimatedSkeleton> {
  const file = await openDemo(name);
  const { humanoid, part } = chooseHumanoid(file, 'only', {}).found!;
  return { file, part, humanoid };
}

async function written(skeleton: AnimatedSkeleton, output: string, names: readonly string[]) {
  const [asset] = skeleton.file.asset.clips;
  const clips = names.map((name, index) => {
    return {
      name,
      clip: { ...asset.clips[0], name },
      sourceNodes: skeleton.part.sourceNodes,
      parts: { clip: name, file: 'a', character: 'b', index },
    };
  });
  const plan = { output, format: outputFormat(output), holds: 'skeleton', visible: null } as const;
  const files = await createOutputWriter(plan, skeleton)(clips, []);
  return files.map(({ path, parts }) => ({ path, bytes: Buffer.concat(parts) }));
}

describe('createOutputWriter: one skeleton', () => {
  it('writes all clips into one glTF without meshes', async () => {
    const [{ bytes }] = await written(await skeletonOf('walk.glb'), 'a.glb', ['one', 'two']);
    const again = await openBytes(bytes);
    expect(again.asset.clips.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(documentOf(again).json['meshes']).toBeUndefined();
  });

  it('writes one VRMA per clip for a template, and throws for several clips without one', async () => {
    const skeleton = await skeletonOf('walk.glb');
    const files = await written(skeleton, '{clip}.vrma', ['one', 'two']);
    expect(files.map(({ path }) => path)).toEqual(['one.vrma', 'two.vrma']);
    expect((await openBytes(files[0].bytes)).asset.format).toBe('vrma');
    await expect(written(skeleton, 'a.vrma', ['one', 'two'])).rejects.toThrow(OptionError);
  });

  it('throws for a VRMA of a skeleton that is not humanoid', async () => {
    const skeleton = { ...(await skeletonOf('walk.glb')), humanoid: null };
    await expect(written(skeleton, 'a.vrma', ['one'])).rejects.toThrow(/not humanoid/);
  });

  it('keeps the hierarchy of a BVH, and creates one for other formats', async () => {
    const bvh = await skeletonOf('turn.bvh');
    const hierarchyOf = (bytes: Buffer): string[] => bytes.toString().match(/(?:ROOT|JOINT) \S+/g)!;
    const [own] = await written(bvh, 'a.bvh', ['one']);
    expect(hierarchyOf(own.bytes)).toHaveLength(bvhTreeOf(bvh.file).joints.filter(({ kind }) => kind !== 'end').length);
    const [made] = await written(await skeletonOf('walk.glb'), 'a.bvh', ['one']);
    expect(hierarchyOf(made.bytes)[0]).toMatch(/^ROOT .*[Hh]ips/);
  });
});
