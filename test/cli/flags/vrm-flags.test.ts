import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVrmOptions } from '../../../src/cli/commands/convert.ts';
import { InputError, UsageError } from '../../../src/cli/errors/cli-errors.ts';

function file(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'anyrig-meta-')), 'meta.json');
  writeFileSync(path, text);
  return path;
}

describe('readVrmOptions', () => {
  it('returns null without --vrm, and refuses --meta alone', async () => {
    expect(await readVrmOptions(undefined, undefined)).toBeNull();
    await expect(readVrmOptions(undefined, 'meta.json')).rejects.toThrow(/no effect without --vrm/);
  });

  it('reads the version and the metadata', async () => {
    expect(await readVrmOptions('1', undefined)).toEqual({ vrm: 1 });
    expect(await readVrmOptions('0', undefined)).toEqual({ vrm: 0 });
    expect(await readVrmOptions('1', file('{"name":"A"}'))).toEqual({ vrm: 1, meta: { name: 'A' } });
  });

  it('refuses other versions, files that are not a JSON object, and files that do not exist', async () => {
    await expect(readVrmOptions('2', undefined)).rejects.toThrow(/expected 1 \(VRM 1\.0\) or 0/);
    await expect(readVrmOptions('1', file('{'))).rejects.toThrow(UsageError);
    await expect(readVrmOptions('1', file('[]'))).rejects.toThrow(/not a JSON object/);
    await expect(readVrmOptions('1', '/nowhere/meta.json')).rejects.toThrow(InputError);
  });
});
