import { describe, expect, it } from 'vitest';
import {
  assertNotEncrypted,
  assertSupportedVersion,
  headerNumber,
} from '../../../../src/formats/fbx/document/fbx-version.ts';
import { rec } from '../fbx-bytes.ts';

const header = (...records: ReturnType<typeof rec>[]): ReturnType<typeof rec>[] => [
  rec('FBXHeaderExtension', [], records),
];

describe('headerNumber', () => {
  it('returns a value of the header, undefined without such a value', () => {
    expect(headerNumber(header(rec('FBXVersion', [7400])), 'FBXVersion')).toBe(7400);
    expect(headerNumber(header(rec('FBXVersion', ['7400'])), 'FBXVersion')).toBeUndefined();
    expect(headerNumber(header(), 'FBXVersion')).toBeUndefined();
    expect(headerNumber([], 'FBXVersion')).toBeUndefined();
  });
});

describe('assertSupportedVersion', () => {
  it('accepts 6.0 to 7.9 only', () => {
    for (const version of [6000, 6100, 7999]) expect(() => assertSupportedVersion(version, {})).not.toThrow();
    for (const version of [0, 5999, 8000, 0xffffffff]) {
      expect(() => assertSupportedVersion(version, {})).toThrow(expect.objectContaining({ code: 'FBX_VERSION' }));
    }
  });
});

describe('assertNotEncrypted', () => {
  it('accepts files without encryption or without a declaration', () => {
    expect(() => assertNotEncrypted([])).not.toThrow();
    expect(() => assertNotEncrypted(header(rec('EncryptionType', [0])))).not.toThrow();
    expect(() => assertNotEncrypted(header(rec('EncryptionType', [1])))).toThrow(/type 1/);
  });
});
