/**
 * Writes the tables of docs/face.md from the data of the library, between their marker comments:
 * `npx tsx --conditions=@anyrig/source scripts/face-tables.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FACE_RECIPES } from '../src/core/face/recipes.ts';
import { FACE_CONVENTIONS, type FaceConvention, type ShapeNames } from '../src/core/face/shape-names.ts';
import { FACE_SHAPES, shapeToPreset } from '../src/core/face/shapes.ts';

/** Conventions with their own column, and its title. ARKit has no column: its names are the shape names. */
const COLUMNS: readonly (readonly [FaceConvention, string])[] = [
  ['vrm0', 'VRM 0.x'],
  ['oculus', 'Oculus, Ready Player Me'],
  ['vrchat', 'VRChat'],
  ['vroid', 'VRoid'],
  ['characterCreator', 'Character Creator 4'],
  ['mixamo', 'Mixamo'],
  ['mmd', 'MMD'],
  ['words', 'others'],
];

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function names(convention: ShapeNames, shape: (typeof FACE_SHAPES)[number]): string {
  const list = convention[shape] ?? [];
  return list
    .map((entry) => (typeof entry === 'string' ? [entry] : entry).map((name) => `\`${name}\``).join(' + '))
    .join(', ');
}

/**
 * Builds the table of shape names.
 *
 * @returns A Markdown table with one row per shape and one column per naming convention.
 */
export function nameTable(): string {
  const titles = ['shape', 'VRM 1.0', ...COLUMNS.map(([, title]) => title)];
  const rows = FACE_SHAPES.map((shape) => {
    const preset = shapeToPreset(shape);
    return row([
      `\`${shape}\``,
      preset === null ? '' : `\`${preset}\``,
      ...COLUMNS.map(([convention]) => names(FACE_CONVENTIONS[convention], shape)),
    ]);
  });
  return [row(titles), row(titles.map(() => '---')), ...rows].join('\n');
}

/**
 * Builds the table of recipes.
 *
 * @returns A Markdown table with one row per shape that other shapes can approximate.
 */
export function recipeTable(): string {
  const rows = FACE_SHAPES.flatMap((shape) => {
    const recipes = FACE_RECIPES[shape];
    if (recipes === undefined) return [];
    const alternatives = recipes.map((recipe) => {
      return Object.entries(recipe)
        .map(([part, weight]) => `${weight} \`${part}\``)
        .join(' + ');
    });
    return [row([`\`${shape}\``, alternatives.join('; else ')])];
  });
  return [row(['shape', 'shown by']), row(['---', '---']), ...rows].join('\n');
}

/**
 * Replaces the tables of a document.
 *
 * @param text Content of docs/face.md.
 * @returns The document with current tables.
 */
export function withTables(text: string): string {
  const tables = { names: nameTable(), recipes: recipeTable() };
  return Object.entries(tables).reduce((doc, [mark, table]) => {
    const between = new RegExp(`(<!-- ${mark} -->\\n)[^]*?(<!-- end of ${mark} -->)`);
    return doc.replace(between, (_, start: string, end: string) => `${start}\n${table}\n\n${end}`);
  }, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = new URL('../docs/face.md', import.meta.url);
  writeFileSync(path, withTables(readFileSync(path, 'utf8')));
}
