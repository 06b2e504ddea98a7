import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expandConvention } from '../../../../../src/core/humanoid/mapping/by-name/convention-names.ts';
import {
  CONVENTION_NAMES,
  CONVENTIONS,
  type ConventionName,
} from '../../../../../src/core/humanoid/mapping/by-name/conventions.ts';
import { asset } from '../../../../support/assets.ts';

const RESEARCH = asset('research', 'bone-names.json');

describe('CONVENTIONS', () => {
  it('has 49 conventions in a small file with short lines', () => {
    expect(CONVENTION_NAMES).toHaveLength(49);
    const url = new URL('../../../../../src/core/humanoid/mapping/by-name/conventions.ts', import.meta.url);
    expect(statSync(url).size).toBeLessThan(40_000);
    const long = readFileSync(url, 'utf8')
      .split('\n')
      .filter((line) => line.length > 120);
    expect(long).toEqual([]);
  });

  it('has at most as many names per line as the part has bones', () => {
    const most = { trunk: 8, arm: 4, leg: 4, thumb: 3, index: 3, middle: 3, ring: 3, little: 3 };
    for (const [name, convention] of Object.entries(CONVENTIONS)) {
      for (const [part, count] of Object.entries(most)) {
        const line = (convention as Record<string, unknown>)[part];
        if (typeof line === 'string') expect(line.split(', ').length, `${name}.${part}`).toBeLessThanOrEqual(count);
      }
    }
  });

  it.skipIf(!existsSync(RESEARCH))('expands to every name of the research tables, preferred names first', () => {
    const research: Record<string, Record<string, string[]>> = JSON.parse(readFileSync(RESEARCH, 'utf8'));
    // These are newer than the tables.
    const newer: readonly string[] = ['meta_mhr', 'optitrack_motive', 'quaternius'];
    expect(CONVENTION_NAMES.filter((name) => !newer.includes(name)).sort()).toEqual(Object.keys(research).sort());
    const wrong: string[] = [];
    for (const [convention, bones] of Object.entries(research)) {
      const expanded = expandConvention(convention as ConventionName) as Record<string, string[]>;
      expect(Object.keys(expanded).sort(), convention).toEqual(Object.keys(bones).sort());
      for (const [bone, names] of Object.entries(bones)) {
        for (const name of names) if (!expanded[bone].includes(name)) wrong.push(`${convention} ${bone} lacks ${name}`);
        // 上半身2 exists with two digit forms, and the table has the other one. VRoid eyes have the second of two prefixes.
        const first = expanded[bone][0].normalize('NFKC').replace('J_Bip_L_FaceEye', 'J_Adj_L_FaceEye');
        const isPreferred = first.replace('J_Bip_R_FaceEye', 'J_Adj_R_FaceEye') === names[0].normalize('NFKC');
        if (!isPreferred) wrong.push(`${convention} ${bone} prefers ${first}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
