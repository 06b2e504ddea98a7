/**
 * Blender's opinion on the BVH files that we write: imports each and compares the heads of all bones with the world positions of the
 * clip that was written, at several frames. Prints a line a file: the largest distance in parts of the height.
 *
 *     npx tsx --conditions=@anyrig/source scripts/bvh-oracle/blender-check.ts file [file …]
 *
 * A file is anything that anyrig opens. Its first clip (a walk, where there is one) becomes a new BVH; that of a BVH also goes back into
 * its own hierarchy. Needs `blender` in the path.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { toModelPose } from '../../src/core/humanoid/t-pose/model-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { openBytes } from '../../src/files/open.ts';
import { type BvhTree, readBvh, serializeBvh, writeBvh, writeBvhClip } from '../../src/formats/bvh/index.ts';

const IMPORTER = join(import.meta.dirname, '../fbx-oracle/blender-import.py');
/** Accepted, in parts of the height. */
const TOLERANCE = 1e-4;

interface BlenderImport {
  /** Heads by armature and bone. The frame is missing where nothing is animated. */
  readonly poses: readonly {
    readonly frame?: number;
    readonly heads: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  }[];
}

/** Positions of the joints in our reading, by name as Blender has it, at a frame. */
function ourHeads(text: string, frame: number): Map<string, number[]> {
  const { skeletons, clips } = readBvh(text);
  const { skeleton } = skeletons[0];
  const local = restPose(skeleton);
  const clip = clips[0].clips[0];
  sampleClip(clip, clip.tracks[0].times[frame], local);
  const { positions } = toModelPose('frame', skeleton.parents, local);
  const heads = new Map<string, number[]>();
  skeleton.names.forEach((name, node) => {
    if (skeleton.joints[node] === 1)
      heads.set(name.split(/\s+/).join('_'), [...positions.subarray(3 * node, 3 * node + 3)]);
  });
  return heads;
}

function heightOf(heads: Map<string, number[]>): number {
  const points = [...heads.values()];
  const extents = [0, 1, 2].map((axis) => {
    const along = points.map((point) => point[axis]);
    return Math.max(...along) - Math.min(...along);
  });
  return Math.max(...extents);
}

function compare(label: string, tree: BvhTree, folder: string): boolean {
  const text = serializeBvh(tree);
  const path = join(folder, 'out.bvh');
  const answer = join(folder, 'out.json');
  writeFileSync(path, text);
  execFileSync(
    'blender',
    ['-b', '--factory-startup', '--python-exit-code', '1', '--python', IMPORTER, '--', path, answer],
    {
      stdio: 'ignore',
    },
  );
  const { poses } = JSON.parse(readFileSync(answer, 'utf8')) as BlenderImport;
  let worst = 0;
  let compared = 0;
  for (const { frame = 1, heads } of poses) {
    const [theirs] = Object.values(heads);
    const ours = ourHeads(text, frame - 1);
    const height = heightOf(ours);
    for (const [name, [x, y, z]] of ours) {
      const head = theirs[name.slice(0, 63)];
      if (head === undefined) throw new Error(`${label}: Blender has no bone ${name}`);
      // Blender's world is Z up: x, −z, y of ours.
      worst = Math.max(worst, Math.hypot(head[0] - x, head[2] - y, head[1] + z) / height);
      compared++;
    }
  }
  const verdict = worst <= TOLERANCE ? 'ok' : 'TOO FAR';
  console.log(
    `${label}: ${compared} heads at ${poses.length} frames, at most ${worst.toExponential(1)} of the height: ${verdict}`,
  );
  return worst <= TOLERANCE;
}

async function check(path: string, folder: string): Promise<boolean> {
  const name = basename(path);
  const file = await openBytes(new Uint8Array(readFileSync(path)), { name });
  const { found } = chooseHumanoid(file, 'only', {});
  const index = found?.index ?? 0;
  const { skeletons, clips, metersPerUnit } = file.asset;
  const clip = (clips.find((candidate) => /walk/i.test(candidate.name)) ?? clips[0])?.clips[index] ?? null;
  const written = writeBvh(found?.humanoid ?? { skeleton: skeletons[index].skeleton, metersPerUnit }, clip);
  let isGood = compare(`${name} → new BVH`, written.tree, folder);
  if (file.asset.issues.some(({ code }) => code === 'BVH_POSITIONS_ADDED')) {
    console.log(
      `${name} → its own hierarchy: not compared, its positions are added to the OFFSETs and Blender replaces them`,
    );
  } else if (file.format === 'bvh' && clip !== null) {
    const again = writeBvhClip(file.tree, skeletons[index], clip);
    isGood = compare(`${name} → its own hierarchy`, again.tree, folder) && isGood;
  }
  return isGood;
}

const folder = mkdtempSync(join(tmpdir(), 'anyrig-bvh-'));
try {
  for (const path of process.argv.slice(2)) if (!(await check(path, folder))) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
