import { expect, it } from 'vitest';
import { restTimeOf, restValue } from '../../../../src/formats/usd/read/rest-value.ts';
import { stageOf } from '../stage/scene.ts';

it('restValue: returns the default value, else the first time sample', () => {
  const stage = stageOf(`def "A" {
    float both = 1
    float both.timeSamples = {
      5: 2,
    }
    float moving.timeSamples = {
      5: 2,
      6: 3,
    }
    float nothing
  }`);
  const numberOf = (name: string): unknown => {
    const value = restValue(stage, '/A', name);
    return value !== null && 'numbers' in value ? value.numbers[0] : null;
  };
  expect(['both', 'moving', 'nothing', 'absent'].map(numberOf)).toEqual([1, 2, null, null]);
  expect(['both', 'moving', 'nothing'].map((name) => restTimeOf(stage, '/A', name))).toEqual(['default', 5, 'default']);
});
