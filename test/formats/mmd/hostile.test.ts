/** Reads damaged files of MMD: any bytes give a finite asset and geometry, or a FormatError, in bounded time. */
import { expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { makeRandom, pick } from '../../../src/demo/random.ts';
import { modelGeometry } from '../../../src/formats/mmd/model/model-geometry.ts';
import { isMmdModel, mmdAsset, parseMmdModel, parseMmdMotion } from '../../../src/formats/mmd/read-mmd.ts';
import { faultOfAsset, nonFiniteIn } from '../../fuzz/check-asset.ts';
import { mutateBytes } from '../../fuzz/mutations/mutate-bytes.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { danceVmd, pmdBytes, pmxBytes, poseVpd } from '../../support/make/mmd-files.ts';

const FILES = { vmd: danceVmd(), vpd: poseVpd(), pmx: pmxBytes(), pmd: pmdBytes() };
/** Processor seconds that a small file may take: the two that `FREE_WORK` gives any motion on a slow computer, and reading; the fuzzer allows five for a whole job. */
const MOST_SECONDS = 3;

/** Reads a file as its kind is used: a motion alone, a model alone, and a dance on the model. */
function readAll(bytes: Uint8Array): string | null {
  if (!isMmdModel(bytes)) return faultOfAsset(mmdAsset(null, parseMmdMotion(bytes)));
  const model = parseMmdModel(bytes);
  const dance = mmdAsset(model, parseMmdMotion(FILES.vmd));
  return faultOfAsset(mmdAsset(model, null)) ?? faultOfAsset(dance) ?? nonFiniteIn(modelGeometry(model));
}

it.each(Object.keys(FILES) as (keyof typeof FILES)[])(
  'damaged .%s files give finite results or documented errors',
  (kind) => {
    const random = makeRandom(39);
    const faults: string[] = [];
    let refused = 0;
    for (let run = 0; run < lawRuns(2500); run++) {
      let bytes = FILES[kind];
      for (let times = pick(random, [1, 1, 2, 4]); times > 0; times--) bytes = mutateBytes(random, bytes);
      const start = process.cpuUsage();
      try {
        const fault = readAll(bytes);
        if (fault !== null) faults.push(`${run}: ${fault}`);
      } catch (error) {
        if (!(error instanceof FormatError)) faults.push(`${run}: ${error instanceof Error ? error.stack : error}`);
        refused++;
      }
      const { user, system } = process.cpuUsage(start);
      if (user + system > 1e6 * MOST_SECONDS) faults.push(`${run}: ${(user + system) / 1e6} s`);
    }
    expect(faults.slice(0, 5)).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  },
  540_000,
);
