import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nameTable, recipeTable, withTables } from '../scripts/face-tables.ts';
import { FACE_RECIPES } from '../src/core/face/recipes.ts';
import { FACE_SHAPES } from '../src/core/face/shapes.ts';

const text = readFileSync(new URL('../docs/face.md', import.meta.url), 'utf8');

it('docs/face.md has the tables of the data: scripts/face-tables.ts makes them anew', () => {
  expect(withTables(text)).toBe(text);
  expect(text).toContain(nameTable());
  expect(text).toContain(recipeTable());
});

it('the tables have a row for every shape and every recipe', () => {
  expect(nameTable().split('\n')).toHaveLength(FACE_SHAPES.length + 2);
  expect(recipeTable().split('\n')).toHaveLength(Object.keys(FACE_RECIPES).length + 2);
});
