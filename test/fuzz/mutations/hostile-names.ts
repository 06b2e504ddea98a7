/** Names that someone wrote to reach something: paths, controls, lengths at the edges, devices, marks of direction. */
import { pick, type Random } from '../../../src/demo/random.ts';

const PIECES = [
  ...[
    '..',
    '.',
    '/',
    '\\',
    '../',
    '..\\',
    '/etc/passwd',
    'C:\\',
    '//host/share/',
    '~',
    '%2e%2e%2f',
    '$(x)',
    '`x`',
    ';',
    '|',
    '&',
    '*',
    '?',
    '"',
    "'",
    '<',
    '>',
  ],
  ...[
    '\0',
    '\n',
    '\r',
    '\t',
    '\u001b[2J',
    '\u0085',
    '\u009b31m',
    '\u007f',
    '\u2028',
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200d',
    '\ufeff',
    '\u{e0041}',
    '\ud800',
    '\udc00',
  ],
  ...[
    'CON',
    'nul',
    'COM1',
    'lpt9.txt',
    'AUX.',
    'com¹',
    'CLOCK$',
    '.anyrig',
    '.env',
    'report',
    'main.journal',
    'failed.txt',
    '__proto__',
    'constructor',
  ],
  ...[
    'a',
    'Walk',
    'WALK',
    'é',
    'e\u0301',
    'あ',
    '😀',
    '👩‍💻',
    ' ',
    '-rf',
    '{clip}',
    '{',
    '}',
    '.glb',
    '.bvh',
    '<script>',
    '</script>',
  ],
];
/** Numbers of characters around the limits of file systems, 255 bytes, and of anyrig, 200 bytes. */
const LENGTHS = [49, 50, 51, 63, 64, 66, 67, 84, 85, 86, 119, 120, 121, 197, 199, 200, 201, 254, 255, 256, 300, 4096];

/**
 * Makes a hostile name.
 *
 * @param random Random source.
 * @returns Any text.
 */
export function hostileName(random: Random): string {
  const kind = random();
  if (kind < 0.25) return pick(random, PIECES).repeat(pick(random, LENGTHS));
  const count = 1 + Math.floor(6 * random());
  const name = Array.from({ length: count }, () => pick(random, PIECES)).join('');
  return kind < 0.4 ? name + 'あ'.repeat(pick(random, LENGTHS)) : name;
}

/**
 * Gives all named objects of a glTF hostile names, some of them the same.
 *
 * @param random Random source.
 * @param json The JSON; changed.
 */
export function renameAll(random: Random, json: Record<string, unknown>): void {
  const names = Array.from({ length: 5 }, () => hostileName(random));
  for (const list of ['nodes', 'animations', 'skins', 'meshes', 'materials', 'textures', 'images', 'scenes']) {
    const items = json[list];
    if (!Array.isArray(items)) continue;
    for (const item of items) {
      if (typeof item !== 'object' || item === null || random() < 0.3) continue;
      item.name = random() < 0.5 ? pick(random, names) : hostileName(random);
    }
  }
}
