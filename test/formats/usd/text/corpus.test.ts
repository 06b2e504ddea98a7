import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import type { FieldValue, Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { assetFiles, HAS_ASSETS } from '../../../support/assets.ts';

const BASELINE = 'baseline';

/** The file of testSdfParsing that is invalid despite its name: it has attributes of targets, which OpenUSD also rejects, in 34 and 57. */
const LEFTOVER = 'baseline/120_sub_attribute_relations.sdf';

/** Baselines with different text for the same layer, and the reason. */
const OTHER_TEXT: Readonly<Record<string, string>> = {
  '127_varyingRelationship.sdf': 'four blanks at the end of a line',
  '185_namespaced_properties.sdf': 'four blanks at the end of a line',
  '139_relocates_metadata.sdf': 'relocates of prims are written as absolute paths',
  '192_listop_metadata.sdf': 'OpenUSD has the type of this metadata from a plug-in and truncates 1.1 to 1',
};

const texts = [...assetFiles('conformance/usd', 'usda', 'sdf'), ...assetFiles('assets', 'usda')];
const parsing = texts.filter((file) => file.includes('testSdfParsing.testenv'));

function isBad(file: string): boolean {
  return file.includes('_bad_') && file.endsWith('.sdf');
}

/** Compares names as OpenUSD sorts them: case-insensitive, with numbers by value. */
function byName(a: string, b: string): number {
  const key = (name: string): string => name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(9, '0'));
  return key(a) < key(b) ? -1 : 1;
}

function sortedValue(value: FieldValue, isSet: boolean): FieldValue {
  if (value.type === 'names' && isSet) return { ...value, names: [...value.names].sort(byName) };
  if (value.type !== 'dictionary') return value;
  const entries = [...value.entries].map(([name, entry]) => [name, sortedValue(entry, false)] as const);
  return { ...value, entries: new Map(entries.sort(([a], [b]) => byName(a, b))) as typeof value.entries };
}

/** Sorts properties, variants and dictionary entries, as OpenUSD writes them. */
function sorted(layer: Layer): Layer {
  const specs = [...layer.specs].map(([path, spec]) => {
    const fields = [...spec.fields].map(([field, value]) => {
      return [field, sortedValue(value, /^(?:properties|variant\w*Children)$/.test(field))] as const;
    });
    return [path, { ...spec, fields: new Map(fields) }] as const;
  });
  return { ...layer, specs: new Map(specs) };
}

describe.skipIf(!HAS_ASSETS)('text files of OpenUSD', () => {
  it('exist', () => {
    expect(parsing.filter(isBad).length).toBeGreaterThan(100);
    expect(texts.length).toBeGreaterThan(300);
  });

  // OpenUSD refuses a bare word in a field that it does not know; it is kept, as other readers do.
  const BARE_WORD = /\/1[789]_bad_\w+access\.sdf$/;

  it.each(parsing.filter((file) => isBad(file) && !BARE_WORD.test(file)))(
    'parseUsda: throws for %s with line and column',
    (file) => {
      const parse = (): Layer => parseUsda(readFileSync(file, 'utf8'));
      expect(parse).toThrow(FormatError);
      try {
        parse();
      } catch (error) {
        expect((error as FormatError).where.line).toBeGreaterThan(0);
        expect((error as FormatError).where.column).toBeGreaterThan(0);
      }
    },
  );

  it('serializeUsda: round-trips every valid file', () => {
    for (const file of texts.filter((name) => !isBad(name) && !name.endsWith(LEFTOVER))) {
      const layer = parseUsda(readFileSync(file, 'utf8'));
      // `toEqual` takes much longer for large values.
      expect(isDeepStrictEqual(parseUsda(serializeUsda(layer)).specs, layer.specs), file).toBe(true);
    }
  });

  it('parseUsda: throws for the baseline whose test was removed', () => {
    const leftover = texts.filter((file) => file.endsWith(LEFTOVER));
    expect(leftover).toHaveLength(1);
    expect(() => parseUsda(readFileSync(leftover[0], 'utf8'))).toThrow(FormatError);
  });

  const good = parsing.filter((file) => !isBad(file) && basename(dirname(file)) !== BASELINE);
  const printed = new Set(parsing);
  const withBaseline = good.filter((file) => printed.has(join(dirname(file), BASELINE, basename(file))));

  it.each(withBaseline.filter((file) => !Object.hasOwn(OTHER_TEXT, basename(file))))(
    'serializeUsda: writes %s like OpenUSD',
    (file) => {
      const baseline = readFileSync(join(dirname(file), BASELINE, basename(file)), 'utf8');
      const layer = parseUsda(readFileSync(file, 'utf8'));
      expect(serializeUsda(sorted(layer)).replace('#usda 1.0', '#sdf 1.4.32')).toBe(
        baseline.replace(/^#sdf [\d.]+/, '#sdf 1.4.32'),
      );
    },
  );
});
