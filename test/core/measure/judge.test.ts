/** The ruler beside an independent judge (`judge/judge.py` of the asset folder, Python with numpy), which has its own readers, sampling and kinematics. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import { describeBody } from '../../../src/core/measure/body.ts';
import { measureResult } from '../../../src/core/measure/ruler.ts';
import { spreadOf } from '../../../src/core/measure/spread.ts';
import { chooseHumanoid, type FoundHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openFile, writeFiles } from '../../../src/files/node.ts';
import { ASSETS, asset, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';

const JUDGE = join(ASSETS, 'judge', 'judge.py');
const canRun = HAS_ASSETS && existsSync(JUDGE) && spawnSync('python3', ['-c', 'import numpy']).status === 0;

/** Motion, clip and character; with contacts, or with an arm that hangs elsewhere. */
const PAIRS: readonly (readonly [motion: string, clip: number, character: string, contacts: 'auto' | 'off'])[] = [
  ['glb/Xbot.glb', 6, 'vrm/Godette_vrm_v4.vrm', 'off'],
  ['glb/Xbot.glb', 6, 'glb/RobotExpressive.glb', 'auto'],
  ['bvh/pybvh_cmu_12_01_walk.bvh', 0, 'glb/Xbot.glb', 'off'],
  ['glb/KayKit_Knight.glb', 1, 'glb/m2m_human-male.glb', 'auto'],
  ['glb/RobotExpressive.glb', 0, 'vrm/cool_loops.vrm', 'off'],
];
/** Difference that is allowed between two programs that sample the same files, degrees. */
const CLOSE = 0.1;

const folder = mkdtempSync(join(tmpdir(), 'anyrig-judge-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Judged {
  readonly dir_per_segment: Readonly<Record<string, number>>;
  readonly dir_deg: Readonly<Record<string, { readonly mean: number; readonly max: number } | null>>;
  readonly palm_deg: { readonly mean: number; readonly max: number } | null;
}

/** The map that the judge is given, so that both measure the same joints. */
function writeMap(name: string, { humanoid, part }: FoundHumanoid): string {
  const bones = BONES.flatMap((bone, k) => {
    const node = humanoid.map.nodes[k];
    return node < 0 ? [] : [[bone, { node: part.sourceNodes[node], name: part.skeleton.names[node] }] as const];
  });
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ bones: Object.fromEntries(bones) }));
  return path;
}

describe.skipIf(!canRun)('measureResult beside judge.py', () => {
  it.each(sampledCases(PAIRS))(
    '%s %i on %s, contacts %s: equal angles of all limbs',
    async (motion, index, character, contacts) => {
      const [source, target] = [await openFile(asset('assets', motion)), await openFile(asset('assets', character))];
      const output = join(folder, 'out.glb');
      const { outputs } = await retargetMotions([source], target, { output, clips: [index], contacts, replace: true });
      await writeFiles(outputs, { force: true });
      const result = await openFile(output);
      const [from, to] = [chooseHumanoid(source, 'source', {}).found!, chooseHumanoid(result, 'target', {}).found!];
      const motionOf = ({ humanoid, index: skeleton }: FoundHumanoid, file: typeof source, clip: number) => ({
        body: describeBody({ skeleton: humanoid.skeleton, nodes: humanoid.map.nodes }),
        clip: file.asset.clips[clip].clips[skeleton],
      });
      const { segments } = measureResult(motionOf(from, source, index), motionOf(to, result, 0), { skinFps: 0 });
      const args = ['retarget', '--source', source.name, '--target', target.name, '--out', output, '--json'];
      const name = source.asset.clips[index].name;
      args[2] = asset('assets', motion);
      args[4] = asset('assets', character);
      args.push('--source-map', writeMap('source.json', from), '--target-map', writeMap('target.json', to));
      if (motion.endsWith('.glb')) args.push('--source-clip', name);
      const judged = JSON.parse(execFileSync('python3', [JUDGE, ...args], { encoding: 'utf8' })) as Judged;
      const measured = segments.filter(({ bone }) => bone in judged.dir_per_segment);
      expect(measured.length).toBeGreaterThanOrEqual(8);
      // A hand without the knuckle of its middle finger has no direction here, and one to its other knuckles there.
      const hasMiddle = [from, to].every(({ humanoid }) => humanoid.map.nodes[BONE.leftMiddleProximal] >= 0);
      const isDirection = (limb: string): boolean =>
        (hasMiddle || !limb.endsWith('Hand')) && !/Palm$|^(?:pelvis|trunk|head)$|Foot$/.test(limb);
      for (const { bone, limb, degrees } of measured) {
        if (!isDirection(limb)) continue;
        expect(Math.abs(spreadOf(degrees).mean - judged.dir_per_segment[bone]), bone).toBeLessThan(CLOSE);
      }
      const groups: Record<string, RegExp> = {
        upperArm: /UpperArm$/,
        foreArm: /Forearm$/,
        thigh: /Thigh$/,
        shin: /Shin$/,
      };
      for (const [group, limbs] of Object.entries(groups)) {
        const most = Math.max(
          ...measured.filter(({ limb }) => limbs.test(limb)).map(({ degrees }) => spreadOf(degrees).max),
        );
        expect(Math.abs(most - judged.dir_deg[group]!.max), group).toBeLessThan(CLOSE);
      }
      const palms = segments.filter(({ limb }) => limb.endsWith('Palm'));
      if (judged.palm_deg !== null && palms.length > 0) {
        const most = Math.max(...palms.map(({ degrees }) => spreadOf(degrees).max));
        expect(Math.abs(most - judged.palm_deg.max), 'palm').toBeLessThan(CLOSE);
      }
    },
  );
});
