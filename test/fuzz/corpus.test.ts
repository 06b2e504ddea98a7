/** Files that showed a defect once: see `npm run fuzz`. The name ends in the number of the job and the format. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { findFault, type Partners } from './find-fault.ts';
import { openPartners } from './partners.ts';
import type { FuzzFormat } from './seeds.ts';

const FOLDER = new URL('../corpus/fuzz/', import.meta.url);
/** Files that take seconds, and the tests of what was repaired. */
const SLOW: Readonly<Record<string, string>> = {
  'arms-inside-for-100-s-265654794.gltf': 'test/core/animation/frame-times.test.ts',
};
let partners: Partners;

beforeAll(async () => {
  partners = await openPartners();
});

it.each(readdirSync(FOLDER).filter((name) => IS_FULL_RUN || !Object.hasOwn(SLOW, name)))(
  'findFault: finds no fault in corpus file %s',
  async (name) => {
    const [, job, format] = /-(\d+)\.(\w+)$/.exec(name) as RegExpExecArray;
    const bytes = new Uint8Array(readFileSync(new URL(name, FOLDER)));
    const input = { name, bytes, job: Number(job), format: format as FuzzFormat };
    expect((await findFault(input, partners, true)).fault).toBeNull();
  },
);
