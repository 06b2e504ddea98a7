/**
 * Writes the tables of docs/face.md from the data of the library, between the lines that mark them:
 * `npx tsx --conditions=@anyrig/source scripts/face-tables.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FACE_RECIPES } from '../src/core/face/recipes.ts';
import { FACE_CONVENTIONS, type FaceConvention, type ShapeNames } from '../src/core/face/shape-names.ts';
import { FACE_SHAPES, shapeToPreset } from '../src/core/face/shapes.ts';

/** Conventions with a column of their own, and its title. ARKit's names are those of the shapes. */
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

/** One row a shape: what every convention calls it. */
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

/** One row a shape: what it is shown by where a character has it not. */
export function recipeTable(): string {
  const rows = FACE_SHAPES.flatMap((shape) => {
    const recipes = FACE_RECIPES[shape];
    if (recipes === undefined) return [];
    const ways = recipes.map((recipe) => {
      return Object.entries(recipe)
        .map(([part, weight]) => `${weight} \`${part}\``)
        .join(' + ');
    });
    return [row([`\`${shape}\``, ways.join('; else ')])];
  });
  return [row(['shape', 'shown by']), row(['---', '---']), ...rows].join('\n');
}

/** The document with its tables made anew. */
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
