import { describe, expect, it } from 'vitest';
import { nameKey, splitName } from '../../../../src/formats/fbx/document/object-names.ts';

describe('splitName and nameKey', () => {
  it('split names of binary and text files alike', () => {
    expect(splitName('Hips\0\x01Model')).toEqual({ name: 'Hips', className: 'Model' });
    expect(splitName('Model::Hips')).toEqual({ name: 'Hips', className: 'Model' });
  });

  it('keep namespaces and special characters', () => {
    expect(splitName('mixamorig:Hips\0\x01Model').name).toBe('mixamorig:Hips');
    expect(splitName('Model::mixamorig:Hips').name).toBe('mixamorig:Hips');
    expect(splitName('a::b\0\x01Model').name).toBe('a::b');
    expect(splitName('Model::a::b').name).toBe('a::b');
  });

  it('accept names with one half or an empty half', () => {
    expect(splitName('Hips')).toEqual({ name: 'Hips', className: '' });
    expect(splitName('\0\x01Model')).toEqual({ name: '', className: 'Model' });
    expect(splitName('Model::')).toEqual({ name: '', className: 'Model' });
    expect(splitName('')).toEqual({ name: '', className: '' });
  });

  it('return the same key for both forms of a name', () => {
    expect(nameKey('Hips\0\x01Model')).toBe('Model::Hips');
    expect(nameKey('Model::Hips')).toBe('Model::Hips');
    expect(nameKey('Hips')).toBe('Hips');
  });
});
