import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nameTable, recipeTable, withTables } from '../scripts/face-tables.ts';
import { FACE_RECIPES } from '../src/core/face/recipes.ts';
import { FACE_SHAPES } from '../src/core/face/shapes.ts';

const text = readFileSync(new URL('../docs/face.md', import.meta.url), 'utf8');

it('docs/face.md: tables match the data (otherwise run scripts/face-tables.ts)', () => {
  expect(withTables(text)).toBe(text);
  expect(text).toContain(nameTable());
  expect(text).toContain(recipeTable());
});

it('nameTable and recipeTable: have one row per shape and per recipe', () => {
  expect(nameTable().split('\n')).toHaveLength(FACE_SHAPES.length + 2);
  expect(recipeTable().split('\n')).toHaveLength(Object.keys(FACE_RECIPES).length + 2);
});
