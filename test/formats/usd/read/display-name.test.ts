import { expect, it } from 'vitest';
import { displayName } from '../../../../src/formats/usd/read/display-name.ts';
import { stageOf } from '../skel/scene.ts';

it('displayName: returns null if it is empty or missing', () => {
  const stage = stageOf('def "a" (displayName = "Ä/1") {\n}\ndef "b" (displayName = "") {\n}\ndef "c" {\n}');
  expect(['/a', '/b', '/c', '/d'].map((prim) => displayName(stage, prim))).toEqual(['Ä/1', null, null, null]);
});
