import { describe, expect, it } from 'vitest';
import { headerNumber, assertNotEncrypted, assertSupportedVersion } from '../../../../src/formats/fbx/document/fbx-version.ts';
import { rec } from '../fbx-bytes.ts';

const header = (...records: ReturnType<typeof rec>[]): ReturnType<typeof rec>[] => [
  rec('FBXHeaderExtension', [], records),
];

describe('headerNumber', () => {
  it('gives a value of the header, undefined where there is none', () => {
    expect(headerNumber(header(rec('FBXVersion', [7400])), 'FBXVersion')).toBe(7400);
    expect(headerNumber(header(rec('FBXVersion', ['7400'])), 'FBXVersion')).toBeUndefined();
    expect(headerNumber(header(), 'FBXVersion')).toBeUndefined();
    expect(headerNumber([], 'FBXVersion')).toBeUndefined();
  });
});

describe('refuseVersion', () => {
  it('takes 6.0 to 7.9', () => {
    for (const version of [6000, 6100, 7999]) expect(() => assertSupportedVersion(version, {})).not.toThrow();
    for (const version of [0, 5999, 8000, 0xffffffff]) {
      expect(() => assertSupportedVersion(version, {})).toThrow(expect.objectContaining({ code: 'FBX_VERSION' }));
    }
  });
});

describe('refuseEncrypted', () => {
  it('takes files that say that they are not, or say nothing', () => {
    expect(() => assertNotEncrypted([])).not.toThrow();
    expect(() => assertNotEncrypted(header(rec('EncryptionType', [0])))).not.toThrow();
    expect(() => assertNotEncrypted(header(rec('EncryptionType', [1])))).toThrow(/type 1/);
  });
});
