import { describe, expect, it } from 'vitest';
import { numbersAt, planNumericSamples } from '../../../../src/formats/usd/skel/numeric-samples.ts';
import { attributeValue } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { stageOf } from './scene.ts';

const TIMES = [-1, 0, 0.3, 1, 1.5, 3, 4, 9];
const ATTRIBUTES = `
  float3[] f.timeSamples = { 0: [(0, 1, 2)], 1: [(4, 4, 4)], 4: [(-1, 0, 7)] }
  quatf[] q.timeSamples = { 0: [(1, 0, 0, 0)], 1: [(0, 1, 0, 0)], 4: [(-0.7, -0.7, 0, 0)] }
  half3[] h.timeSamples = { 0: [(1, 1, 1)], 1: [(1, 1.1, 3)] }
  float3[] d = [(1, 2, 3)]
  float3[] blocked.timeSamples = { 0: [(0, 1, 2)], 1: None }
  float3[] sizes.timeSamples = { 0: [(0, 1, 2)], 1: [] }
  int3[] whole.timeSamples = { 0: [(0, 1, 2)], 1: [(5, 5, 5)] }`;

describe('planNumericSamples and numbersAt', () => {
  it.each([
    ['f', 3],
    ['q', 4],
    ['h', 3],
    ['d', 3],
  ])('match attributeValue at every time: %s', (name, width) => {
    const stages = [
      stageOf(`def "A" {\n${ATTRIBUTES}\n}`),
      stageOf(`def "A" (references = </B> (offset = 0.25; scale = 2)) {\n}\ndef "B" {\n${ATTRIBUTES}\n}`),
      openStage(parseUsda(`#usda 1.0\ndef "A" {\n${ATTRIBUTES}\n}`), { interpolation: 'held' }),
    ];
    for (const stage of stages) {
      const sampled = planNumericSamples(stage, '/A', name, width);
      if (sampled === null) throw new Error(`${name} has no samples`);
      for (const time of TIMES) {
        const value = attributeValue(stage, '/A', name, time);
        expect(numbersAt(sampled, time)).toEqual(value !== null && 'numbers' in value ? value.numbers : null);
      }
    }
  });

  it.each([
    ['blocked', 3],
    ['sizes', 3],
    ['whole', 3],
    ['f', 4],
    ['missing', 3],
  ])('planNumericSamples: returns null for %s of %d', (name, width) => {
    expect(planNumericSamples(stageOf(`def "A" {\n${ATTRIBUTES}\n}`), '/A', name, width)).toBeNull();
  });
});
