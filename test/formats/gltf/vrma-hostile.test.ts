/** Randomly damaged VRMA files, read and written again: a FormatError, a reason why the file is not humanoid, or a valid file. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import { createNormalizedHumanoid, isNormalized } from '../../../src/core/humanoid/normalized-humanoid.ts';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { makeRandom, type Random } from '../../../src/demo/random.ts';
import { parseGlb } from '../../../src/formats/gltf/document/glb.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { parseGltf, readGltf, writeVrma } from '../../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { glbOf } from '../../support/make/glb.ts';
import { validateClip } from '../../support/validate-clip.ts';
import { damageJson } from './damage.ts';
import { glbBytes } from './open.ts';

const FLOAT32_MAX = 3.4028234663852886e38;

/** Motions with numbers beyond float32 are dropped before they reach a writer. */
function canBeStored({ tracks }: Clip): boolean {
  return tracks.every(({ values }) => values.every((value) => Math.abs(value) <= FLOAT32_MAX));
}

type Outcome = 'refused' | 'no humanoid' | 'too large' | 'written';

/** Reads, retargets and writes a VRMA as far as possible. Rethrows any error but a FormatError. */
function outcomeOf(bytes: Uint8Array): Outcome {
  let outcome: Outcome = 'no humanoid';
  try {
    const { skeletons, clips } = readGltf(parseGltf(bytes));
    skeletons.forEach(({ skeleton, declared }, s) => {
      const motion = clips[0]?.clips[s] ?? null;
      const { humanoid, reason } = describeHumanoid(skeleton, { declared, motion, metersPerUnit: 1 });
      if (humanoid === null) {
        expect(reason.length).toBeGreaterThan(5);
        return;
      }
      const body = createNormalizedHumanoid(humanoid);
      expect(isNormalized(body)).toBe(true);
      if (motion === null) return;
      const clip = retargetClip(planRetarget(humanoid, body), motion);
      outcome = 'too large';
      if (!canBeStored(clip)) return;
      expectSound(glbBytes(writeVrma(body, clip).document));
      outcome = 'written';
    });
    return outcome;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    expect(error.message.length).toBeGreaterThan(10);
    return 'refused';
  }
}

function expectSound(vrma: Uint8Array): void {
  const { format, skeletons, clips } = readGltf(parseGltf(vrma));
  expect(format).toBe('vrma');
  for (const { skeleton } of skeletons) expect(skeleton.rest.every(Number.isFinite)).toBe(true);
  for (const { clips: parts } of clips) {
    parts.forEach((clip, s) => {
      expect(validateClip(clip, skeletons[s].skeleton.parents.length).reasons).toEqual([]);
    });
  }
}

/** Flips bits, replaces bytes or cuts off the end. */
function damageBytes(random: Random, bytes: Uint8Array): Uint8Array {
  const damaged = Uint8Array.from(bytes);
  for (let times = 1 + Math.floor(4 * random()); times > 0; times--) {
    // Half of the damage is in the headers and the JSON, which affect more code than keys do.
    const at = Math.floor(random() * (random() < 0.5 ? 2000 : damaged.length));
    damaged[at] = random() < 0.5 ? damaged[at] ^ (1 << Math.floor(8 * random())) : Math.floor(256 * random());
  }
  return random() < 0.1 ? damaged.slice(0, Math.floor(random() * damaged.length)) : damaged;
}

/** Replaces, removes or duplicates JSON values, and replaces bytes of the keys. */
function damageContent(random: Random, text: string, bin: Uint8Array): Uint8Array {
  const json = JSON.parse(text) as JsonObject;
  const data = Uint8Array.from(bin);
  for (let times = 1 + Math.floor(3 * random()); times > 0; times--) {
    if (random() < 0.75) damageJson(random, json);
    else data[Math.floor(random() * data.length)] = Math.floor(256 * random());
  }
  return glbOf(json, data);
}

function damageMany(bytes: Uint8Array, fullRuns: number): void {
  const runs = lawRuns(fullRuns);
  expect(outcomeOf(bytes)).toBe('written');
  const { json, bin } = parseGlb(bytes);
  const text = new TextDecoder().decode(json);
  const counts: Record<Outcome, number> = { refused: 0, 'no humanoid': 0, 'too large': 0, written: 0 };
  for (let seed = 0; seed < runs; seed++) {
    const random = makeRandom(seed);
    const damaged = seed % 2 === 0 ? damageBytes(random, bytes) : damageContent(random, text, bin!);
    try {
      counts[outcomeOf(damaged)]++;
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).stack}`, { cause: error });
    }
  }
  expect(counts.refused).toBeGreaterThan(runs * 0.05);
  expect(counts.written).toBeGreaterThan(runs * 0.05);
}

describe('writeVrma on damaged VRMA files', () => {
  it('does not write a file whose scales multiply beyond float32', () => {
    const { json, bin } = parseGlb(demoBytes('wave.vrma'));
    const seen = new Set<Outcome>();
    for (const big of [1e10, 1e30, 3e38, 1e300]) {
      for (const node of [0, 1, 5]) {
        for (const path of ['translation', 'scale']) {
          const damaged = JSON.parse(new TextDecoder().decode(json));
          for (const index of [node, node + 1]) damaged.nodes[index][path] = [big, -big, big];
          seen.add(outcomeOf(glbOf(damaged, bin!)));
        }
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['written', 'refused']));
  });

  it('writes a valid VRMA or throws a FormatError for the damaged demo file', () =>
    damageMany(demoBytes('wave.vrma'), 1000));

  it.skipIf(!HAS_ASSETS)('writes a valid VRMA or throws a FormatError for damaged real-world files', () =>
    damageMany(new Uint8Array(readFileSync(asset('assets/vrma/threevrm_test.vrma'))), 4000),
  );
});
