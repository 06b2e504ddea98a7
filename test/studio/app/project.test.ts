import { expect, it } from 'vitest';
import {
  DETECTED,
  EMPTY_PROJECT,
  editsOf,
  keepLook,
  withCharacter,
  withoutFile,
} from '../../../studio/src/app/project.ts';

it('withCharacter: a character replaces the others, or joins them and leaves them again', () => {
  const one = withCharacter(EMPTY_PROJECT, 'a', false);
  const two = withCharacter(one, 'b', true);
  expect([two.characters, two.selected]).toEqual([['a', 'b'], 'b']);
  const back = withCharacter(two, 'b', true);
  expect([back.characters, back.selected]).toEqual([['a'], 'a']);
  expect(withCharacter(two, 'c', false).characters).toEqual(['c']);
});

it('keepLook: undo to the time before a file was opened keeps the person that was chosen of it', () => {
  const humanoids = { a: { ...DETECTED, skeleton: 1, pose: { kind: 'bind' } as const } };
  const restored = keepLook(EMPTY_PROJECT, { ...EMPTY_PROJECT, humanoids });
  expect(editsOf(restored, 'a')).toEqual({ ...DETECTED, skeleton: 1 });
  expect(editsOf(keepLook({ ...EMPTY_PROJECT, humanoids }, restored), 'a')).toEqual(humanoids.a);
});

it('withoutFile: motion, character, selection and decisions of the file are gone', () => {
  const project = {
    ...withCharacter(withCharacter(EMPTY_PROJECT, 'a', false), 'b', true),
    motion: { file: 'b', clip: 2 },
    humanoids: { b: { ...DETECTED, pose: { kind: 'bind' } as const } },
  };
  const left = withoutFile(project, 'b');
  expect(left).toMatchObject({ motion: null, characters: ['a'], selected: 'a', humanoids: {} });
  expect(editsOf(left, 'b')).toBe(DETECTED);
});

it('withoutFile: a pose that was taken from the file is automatic again', () => {
  const humanoids = { a: { ...DETECTED, pose: { kind: 'file', file: 'b' } as const } };
  const left = withoutFile({ ...EMPTY_PROJECT, humanoids }, 'b');
  expect(editsOf(left, 'a')).toEqual(DETECTED);
});
