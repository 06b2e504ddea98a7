import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../src/core/report/format-error.ts';
import { detectAdapter, detectFormat } from '../../src/files/detect.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const utf16 = (text: string, bigEndian: boolean): Uint8Array => {
  const units = Buffer.from(`\ufeff${text}`, 'utf16le');
  return bigEndian ? units.swap16() : units;
};

/** Creates the start of a ZIP archive with a first file name. */
const archive = (name: string): Uint8Array =>
  latin1(`PK\x03\x04${'\0'.repeat(22)}${String.fromCharCode(name.length)}\0\0\0${name}content`);

function messageOf(bytes: Uint8Array): string {
  try {
    return `format ${detectFormat(bytes)}`;
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    expect((error as FormatError).code).toBe('FORMAT_UNKNOWN');
    return (error as FormatError).message;
  }
}

describe('detectFormat', () => {
  it.each([
    ['GLB by its magic number', latin1('glTF\x01\x00'), 'glb'],
    ['glTF as JSON', utf8('{"asset": {"version": "2.0"}}'), 'gltf'],
    ['glTF after white space', utf8('\n\t  {}'), 'gltf'],
    ['glTF after a byte order mark', utf8('\ufeff{}'), 'gltf'],
    ['BVH', utf8('HIERARCHY\nROOT Hips'), 'bvh'],
    ['lower-case BVH after blank lines', utf8('\r\n\r\n hierarchy\r\n'), 'bvh'],
    ['BVH in UTF-16, little endian', utf16('HIERARCHY\n', false), 'bvh'],
    ['BVH in UTF-16, big endian', utf16('HIERARCHY\n', true), 'bvh'],
    ['binary FBX', latin1('Kaydara FBX Binary  \x00\x1a\x00'), 'fbx'],
    ['FBX as text', utf8('; FBX 7.4.0 project file\n; Copyright\n'), 'fbx'],
    ['FBX text after other comments', utf8('\ufeff; made by x\r\n;\r\n\r\n; FBX 6.1.0 project file\r\n'), 'fbx'],
    ['a model of MMD', latin1('PMX \x00\x00'), 'mmd'],
    ['an old model of MMD', latin1('Pmd\x00\x00'), 'mmd'],
    ['a motion of MMD', latin1('Vocaloid Motion Data 0002'), 'mmd'],
    ['a pose of MMD', utf8('Vocaloid Pose Data file\r\n'), 'mmd'],
    ['USD as text', utf8('#usda 1.0\n'), 'usd'],
    ['USD text with the old magic word', utf8('\ufeff#sdf 1.4.32\n'), 'usd'],
    ['binary USD', latin1('PXR-USDC\x00\x08'), 'usd'],
    ['USDZ', archive('Scene.USDC'), 'usd'],
    ['an archive of NumPy', archive('poses.npy'), 'npz'],
    ['an array of NumPy', latin1('\x93NUMPY\x01\0'), 'npz'],
    ['a pickle', latin1('\x80\x04\x95'), 'npz'],
    ['a pickle of Python 2', latin1('(dp0\n'), 'npz'],
    ['FBX text without the format comment', utf8('; made by x\n\nFBXHeaderExtension:  {\n'), 'fbx'],
  ])('detects %s', (_, bytes, format) => {
    expect(detectFormat(bytes)).toBe(format);
  });

  it.each([
    ['a ZIP archive that is not USDZ', archive('readme.txt'), /first file is neither a USD layer nor an array/],
    ['a truncated ZIP archive', latin1('PK\x03\x04\x00\x00'), /neither a USDZ nor an NPZ.*; unpack it/],
    ['gzip', latin1('\x1f\x8b\x08'), /gzip/],
    ['XML', utf8('<?xml version="1.0"?><COLLADA>'), /COLLADA/],
    ['an HTML page', utf8('<!DOCTYPE html><html>'), /HTML page; download/],
    ['a Git LFS pointer', utf8('version https://git-lfs.github.com/spec/v1\n'), /git lfs pull/],
    ['a Blender file', latin1('BLENDER-v300'), /export it from Blender/],
    ['an empty file', new Uint8Array(0), /empty/],
    ['a PNG image', latin1('\x89PNG\r\n\x1a\n'), /a PNG image; .*not pictures/],
    ['a JPEG image', latin1('\xff\xd8\xff\xe0'), /a JPEG image/],
    ['a WebP image', latin1('RIFF\0\x01\0\0WEBPVP8'), /a WebP image/],
    ['an MP4 video', latin1('\0\0\0\x18ftypmp42'), /MP4 or QuickTime video; .*not videos; .*BVH/],
    ['a sound file', latin1('RIFF\0\x01\0\0WAVEfmt '), /a sound file/],
    ['a Maya scene as text', utf8('//Maya ASCII 2023 scene\n'), /a Maya scene; open it in Maya and export it as FBX/],
    ['a binary Maya scene', latin1('FOR4\0\0\x01\x02MayaFOR4'), /a Maya scene/],
    ['a 64-bit binary Maya scene', latin1('FOR8\0\0\0\0\0\0\0\0\0\x01\0\x02Maya'), /a Maya scene/],
    ['a compressed Blender file', latin1('\x28\xb5\x2f\xfd\x04'), /Zstandard archive, perhaps .*Blender/],
    ['a Unity package', latin1('\x1f\x8b\x08\x08\0\0\0\0\0\0archtemp.tar\0'), /a Unity package; import it in Unity/],
    ['a Unity asset', utf8('%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n'), /a Unity asset; open it in Unity/],
    ['a tar archive', latin1(`a/b${'\0'.repeat(254)}ustar`), /a tar archive; unpack it/],
    ['C3D', latin1('\x02P\x55'), /marker positions \(C3D\).*no skeleton.*MotionBuilder.*BVH or FBX/],
    ['a PyTorch archive', archive('archive/data.pkl'), /PyTorch.*torch\.load.*numpy\.savez/],
    ['an old PyTorch file', latin1('\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.'), /PyTorch/],
    ['a compressed pickle', latin1('\x78\x9c\x03'), /zlib, perhaps a pickle of joblib/],
    ['an OBJ mesh', utf8('# Blender v3\n\nmtllib a.mtl\no Cube\nv 1 1 1\n'), /an OBJ mesh; it has no skeleton/],
    ['an OBJ mesh without material', utf8('# x\r\no a\r\nv -1.5 0 0\r\n'), /an OBJ mesh/],
    ['an Acclaim skeleton', utf8('# AST/ASF file\n:version 1.10\n'), /ASF, AMC/],
    ['a file of macOS', latin1('\x00\x05\x16\x07\x00\x02'), /without "\._" before its name/],
    ['an incomplete download', new Uint8Array(5000), /a file of zeros; .*incomplete/],
    ['a bone map', utf8('{"bones": {"hips": "Hips"}}'), /a bone map of anyrig; .*the option sourceMap/],
    ['a DAZ Studio file', utf8('{\n\t"file_version" : "0.6.0.0",'), /a DAZ Studio file/],
    ['unknown bytes', latin1('\x8aPNX\r\n\x1a\n'), /bytes 8a 50 4e 58/],
    ['a word', utf8('HIERARCHYS'), /starts with "HIERARCHYS"/],
    ['only comments', utf8(`${';\n\n'.repeat(2000)}; FBXHeader`), /starts with the bytes 3b 0a/],
    ['a truncated magic number', latin1('glT'), /starts with "glT"/],
  ])('throws with the name of the content: %s', (_, bytes, message) => {
    expect(messageOf(bytes)).toMatch(message);
  });

  it.each([
    ['Hero.unitypackage', latin1('\x1f\x8b\x08\0'), /a Unity package/],
    ['hero.blend', latin1('\x28\xb5\x2f\xfd'), /a compressed Blender file; open it in Blender/],
    ['hero.blend1', latin1('\x1f\x8b\x08\0'), /a compressed Blender file/],
    ['hero.blend', latin1('PK\x03\x04'), /a ZIP archive/],
  ])('names compressed files by their extension: %s', (name, bytes, message) => {
    expect(() => detectAdapter(bytes, name)).toThrow(message);
  });

  it('recognizes thousands of comment lines in linear time', () => {
    for (const line of ['# o o o # g g\n', '#\n\n', 'o o o o\n']) {
      expect(messageOf(utf8(line.repeat(4096)))).toMatch(/starts with/);
    }
  }, 2000);

  it('returns a format or throws a FormatError for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        messageOf(bytes);
      }),
      { seed: 1 },
    );
  });
});
