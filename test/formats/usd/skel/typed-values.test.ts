import { describe, expect, it } from 'vitest';
import {
  childrenReversed,
  isInactive,
  numbersOf,
  readTokens,
  textsOf,
  typeNameAt,
} from '../../../../src/formats/usd/skel/typed-values.ts';
import { attributeValue } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { stageOf } from './scene.ts';

const STAGE = stageOf(`
  def Xform "A" {
    def Mesh "M" {
      token[] t = ["x", "y"]
      string s = "z"
      uint[] u = [1, 2]
      int64[] big = [1]
      double3[] d = [(1, 2, 3)]
      bool b = 1
    }
    over "O" {
    }
    class "C" {
    }
    def Scope "Last" {
    }
  }
  def Xform "Off" (active = false) {
    def Mesh "M" {
    }
  }`);

describe('prims', () => {
  it('typeNameAt: returns the type of active prims', () => {
    expect(['/A', '/A/O', '/Off', '/Off/M', '/Gone'].map((path) => typeNameAt(STAGE, path))).toEqual([
      'Xform',
      '',
      null,
      null,
      null,
    ]);
    expect(['/A', '/Off', '/Off/M', '/Gone'].map((path) => isInactive(STAGE, path))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('childrenReversed: lists usable children, last first', () => {
    expect(childrenReversed(STAGE, '/A')).toEqual(['/A/Last', '/A/M']);
    expect(childrenReversed(STAGE, '/')).toEqual(['/A']);
  });
});

describe('values', () => {
  const value = (name: string) => attributeValue(STAGE, '/A/M', name, 'default');
  it('numbersOf: returns numbers of the requested width', () => {
    expect([...(numbersOf(value('d'), 3) ?? [])]).toEqual([1, 2, 3]);
    expect(numbersOf(value('u'), 1)).toEqual(Float64Array.of(1, 2));
    expect(['d', 'big', 'b', 't', 'none'].map((name) => numbersOf(value(name), 1))).toEqual(Array(5).fill(null));
  });

  it('textsOf: returns texts', () => {
    expect(readTokens(STAGE, '/A/M', 't')).toEqual(['x', 'y']);
    expect(textsOf(value('s'))).toEqual(['z']);
    expect([readTokens(STAGE, '/A/M', 'd'), readTokens(STAGE, '/A/M', 'none')]).toEqual([null, null]);
  });
});
