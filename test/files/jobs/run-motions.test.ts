/** Jobs over many motions, by way of retargetMotions and extractMotions. */
import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { extractMotions } from '../../../src/files/jobs/extract-motions.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import type { MotionInput } from '../../../src/files/jobs/run-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { OutputError } from '../../../src/files/outputs/output-error.ts';
import type { OutputFile } from '../../../src/files/outputs/output-file.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';

const inputOf = (name: string, as: string = name): MotionInput => {
  return { name: as, open: async () => ({ ...(await openDemo(name)), name: as }) };
};
const broken: MotionInput = {
  name: 'broken.fbx',
  open: async () => {
    throw new Error('wrapped', { cause: new FormatError('FBX_SYNTAX', 'The file ends early.', { offset: 7 }) });
  },
};

/** Records written files: their paths, and how many motions were opened before. */
function recorder(): { paths: string[]; nexts: number[]; write: (files: readonly OutputFile[], next: number) => void } {
  const paths: string[] = [];
  const nexts: number[] = [];
  const write = (files: readonly OutputFile[], next: number): void => {
    paths.push(...files.map(({ path }) => path));
    nexts.push(next);
  };
  return { paths, nexts, write };
}

/**
 * Counts the objects that are alive after garbage collection. It collects a few times: frames of optimized functions on the stack can keep
 * an object for one collection.
 */
async function countAlive(references: readonly WeakRef<object>[]): Promise<number> {
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc') as () => void;
  let alive = references.length;
  for (let k = 0; k < 5 && alive > 0; k++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    gc();
    alive = references.filter((one) => one.deref() !== undefined).length;
  }
  return alive;
}

describe('retargetMotions: motions that are opened one by one', () => {
  it.each([
    ['one file', 'out.glb', ['out.glb'], [3]],
    ['one file per clip', '{clip}.vrma', ['walk.vrma', 'turn.vrma'], [1, 3]],
  ])('writes the good motions into %s, and reports the broken one', async (_, output, files, steps) => {
    const { paths, nexts, write } = recorder();
    const inputs = [inputOf('walk.glb'), broken, inputOf('turn.bvh')];
    const { report, failure } = await retargetMotions(
      inputs,
      await openDemo('mixamo.glb'),
      { output, contacts: 'off' },
      { write, leavesOut: true },
    );
    expect([paths, nexts, failure]).toEqual([files, steps, null]);
    expect(report).toMatchObject({ ok: false, output, files, clips: [{ name: 'walk' }, { name: 'turn' }] });
    expect(report.sources?.map(({ humanoid }) => humanoid)).toEqual([true, false, true]);
    expect(report.issues.filter(({ severity }) => severity === 'error')).toEqual([
      {
        code: 'FILE_LEFT_OUT',
        severity: 'error',
        message: 'broken.fbx was left out: FBX_SYNTAX, The file ends early.',
        where: { resource: 'broken.fbx', offset: 7 },
      },
    ]);
  });

  it('gives the same report and files as for opened motions', async () => {
    const [walk, turn, character] = await Promise.all(['walk.glb', 'turn.bvh', 'child.vrm'].map(openDemo));
    for (const output of ['a.vrm', '{file}.vrma']) {
      const { paths, write } = recorder();
      const together = await retargetMotions([walk, turn], character, { output });
      const inputs = [inputOf('walk.glb'), inputOf('turn.bvh')];
      const { report } = await retargetMotions(inputs, character, { output }, { write, leavesOut: true });
      expect(report).toEqual(together.report);
      expect(paths).toEqual(together.outputs.map(({ path }) => path));
    }
  });

  it('throws the error of a motion unless motions are left out', async () => {
    const { write } = recorder();
    const character = await openDemo('child.vrm');
    await expect(
      retargetMotions([broken], character, { output: 'a.vrm' }, { write, leavesOut: false }),
    ).rejects.toThrow('wrapped');
  });

  it('returns the first error as `failure` when no motion could be used', async () => {
    const { paths, write } = recorder();
    const inputs = [broken, inputOf('walk.glb')];
    const options = { output: '{file}.glb', source: { skeleton: 'no such skeleton' } };
    const { report, failure } = await retargetMotions(inputs, await openDemo('giant.glb'), options, {
      write,
      leavesOut: true,
    });
    expect([paths, report.output, failure?.message]).toEqual([[], null, 'wrapped']);
    expect(report.issues.filter(({ code }) => code === 'FILE_LEFT_OUT').map(({ where }) => where.resource)).toEqual([
      'broken.fbx',
      'walk.glb',
    ]);
  });

  it('writes nothing before all selected clips are found', async () => {
    const inputs = [inputOf('walk.glb'), inputOf('turn.bvh')];
    const character = await openDemo('giant.glb');
    const { paths, nexts, write } = recorder();
    const run = { write, leavesOut: true };
    const missing = { output: '{clip}.bvh', clips: ['walk', 'jump'] };
    await expect(retargetMotions(inputs, character, missing, run)).rejects.toThrow(OptionError);
    await expect(retargetMotions(inputs, character, missing, run)).rejects.toThrow(
      /no clip "jump".*\n.*"walk" of walk\.glb\n.*turn/,
    );
    expect(paths).toEqual([]);
    await retargetMotions(inputs, character, { output: '{clip}.bvh', clips: ['turn', 'walk'], contacts: 'off' }, run);
    expect([paths, nexts]).toEqual([
      ['walk.bvh', 'turn.bvh'],
      [2, 2],
    ]);
  });

  it('rejects an unknown placeholder before it reads a motion', async () => {
    const { write } = recorder();
    const run = { write, leavesOut: true };
    const character = await openDemo('giant.glb');
    await expect(retargetMotions([broken, broken], character, { output: '{name}.glb' }, run)).rejects.toThrow(
      OptionError,
    );
  });

  it('leaves out motions whose outputs exist, and stops when the system takes no more files', async () => {
    const inputs = ['a', 'b', 'c', 'd'].map((name) => inputOf('turn.bvh', `${name}.bvh`));
    const refusals = new Map([
      ['b.vrma', new OutputError('OVERWRITE_REFUSED', 'b.vrma', 'b.vrma already exists; use --force to replace it')],
      ['c.vrma', new OutputError('CANNOT_WRITE', 'c.vrma', 'c.vrma cannot be written: the disk is full')],
    ]);
    const write = ([{ path }]: readonly OutputFile[]): void => {
      const refusal = refusals.get(path);
      if (refusal !== undefined) throw refusal;
    };
    const character = await openDemo('child.vrm');
    const run = { write, leavesOut: true };
    const options = { output: '{file}.vrma', contacts: 'off' } as const;
    const { report, failure } = await retargetMotions(inputs, character, options, run);
    expect(failure).toBe(refusals.get('c.vrma'));
    expect([report.files, report.clips.map(({ from }) => from.file)]).toEqual([['a.vrma'], ['a.bvh']]);
    expect(report.issues.filter(({ code }) => code === 'FILE_LEFT_OUT').map(({ message }) => message)).toEqual([
      'b.bvh was left out: b.vrma already exists; use --force to replace it.',
      'c.bvh was left out: c.vrma cannot be written: the disk is full.',
      'd.bvh was not read.',
    ]);
    await expect(retargetMotions(inputs.slice(2), character, options, run)).rejects.toThrow(OutputError);
  });

  it.runIf(IS_FULL_RUN).each(['all.glb', '{file}.glb'])(
    'keeps no motion in memory after it was converted: %s',
    async (output) => {
      const references: WeakRef<object>[] = [];
      const alive: number[] = [];
      const inputs = ['walk.glb', 'turn.bvh', 'walk.glb', 'wave.vrma', 'walk.glb'].map((name, k): MotionInput => {
        const open = async (): Promise<OpenFile> => {
          alive.push(await countAlive(references));
          const file = await openBytes(demoBytes(name), { name });
          const { clips, skeletons } = file.asset;
          const [track] = clips[0].clips[0].tracks;
          for (const part of [file, clips[0], skeletons[0].skeleton, track.values]) references.push(new WeakRef(part));
          return file;
        };
        return { name: `${k}-${name}`, open };
      });
      const { write } = recorder();
      const { report } = await retargetMotions(
        inputs,
        await openDemo('giant.glb'),
        { output },
        { write, leavesOut: true },
      );
      expect(report.clips).toHaveLength(5);
      expect(alive).toEqual([0, 0, 0, 0, 0]);
    },
  );
});

describe('extractMotions: motions that are opened one by one', () => {
  it('writes the good motions, and reports the broken one', async () => {
    for (const [output, files] of [
      ['clips.glb', ['clips.glb']],
      ['{file}.glb', ['walk.glb', 'turn.glb']],
    ] as const) {
      const { paths, write } = recorder();
      const inputs = [inputOf('walk.glb'), broken, inputOf('turn.bvh')];
      const { report } = await extractMotions(inputs, { output }, { write, leavesOut: true });
      expect(paths).toEqual(files);
      expect(report).toMatchObject({ ok: false, output, files, clips: [{ name: 'walk' }, { name: 'turn' }] });
      expect(report.issues.filter(({ severity }) => severity === 'error')).toMatchObject([{ code: 'FILE_LEFT_OUT' }]);
    }
  });
});
