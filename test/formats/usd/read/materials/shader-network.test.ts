import { describe, expect, it } from 'vitest';
import {
  attributeNumbers,
  inputNumbers,
  inputSource,
  inputText,
  shaderId,
  shaderName,
} from '../../../../../src/formats/usd/read/materials/shader-network.ts';
import { stageOf } from '../../stage/scene.ts';

const stage = stageOf(`def Material "M" {
  float inputs:a = 1
  float inputs:b
  float inputs:c.connect = </M/T.outputs:r>
  def NodeGraph "G" {
    float inputs:a.connect = </M.inputs:a>
    float outputs:o.connect = </M/T.outputs:g>
    float outputs:up.connect = </M.inputs:a>
  }
  def Shader "S" {
    uniform token info:id = "UsdPreviewSurface"
    float inputs:own = 0.5
    float inputs:far.connect = </M/G.inputs:a>
    float inputs:empty = 0.25
    float inputs:empty.connect = </M.inputs:b>
    float inputs:made.connect = </M/G.outputs:o>
    float inputs:passed.connect = </M.inputs:c>
    float inputs:up.connect = </M/G.outputs:up>
    float inputs:nowhere = 0.75
    float inputs:nowhere.connect = </M/None.outputs:r>
    float inputs:round.connect = </M/S.inputs:round>
    float inputs:infinite = inf
    string inputs:word = "st"
  }
  def Shader "T" { uniform token info:id = "UsdUVTexture" }
  def "Untyped" { uniform token info:id = "Noise" }
  def Shader "Mdl" { uniform token info:mdl:sourceAsset:subIdentifier = "OmniPBR" }
  def Shader "Bare" { }
}`);

describe('inputSource', () => {
  it.each([
    ['own', { type: 'value', prim: '/M/S', name: 'inputs:own' }],
    ['far', { type: 'value', prim: '/M', name: 'inputs:a' }],
    ['up', { type: 'value', prim: '/M', name: 'inputs:a' }],
    ['empty', { type: 'value', prim: '/M/S', name: 'inputs:empty' }],
    ['nowhere', { type: 'value', prim: '/M/S', name: 'inputs:nowhere' }],
    ['round', { type: 'value', prim: '/M/S', name: 'inputs:round' }],
    ['unknown', { type: 'value', prim: '/M/S', name: 'inputs:unknown' }],
    ['made', { type: 'output', shader: '/M/T', output: 'g' }],
    ['passed', { type: 'output', shader: '/M/T', output: 'r' }],
  ])('follows the input %s', (input, expected) => {
    expect(inputSource(stage, '/M/S', `inputs:${input}`)).toEqual(expected);
  });
});

it('inputNumbers: returns finite tuples of the requested width that no shader provides', () => {
  const numbers = (input: string, width = 1): unknown => inputNumbers(stage, '/M/S', input, width);
  expect(['far', 'made', 'infinite', 'unknown', 'word'].map((input) => numbers(input))).toEqual([
    [1],
    null,
    null,
    null,
    null,
  ]);
  expect(numbers('own', 3)).toBeNull();
  expect(attributeNumbers(stage, '/M/S', 'inputs:empty', 1)).toEqual([0.25]);
  expect([inputText(stage, '/M/S', 'word'), inputText(stage, '/M/S', 'own')]).toEqual(['st', null]);
});

it('shaderName: returns the id, else the subidentifier of the source asset', () => {
  const paths = ['S', 'Untyped', 'Mdl', 'Bare'].map((name) => `/M/${name}`);
  expect(paths.map((path) => shaderId(stage, path))).toEqual(['UsdPreviewSurface', 'Noise', null, null]);
  expect(paths.map((path) => shaderName(stage, path))).toEqual([
    'UsdPreviewSurface',
    'Noise',
    'OmniPBR',
    'a shader without an id',
  ]);
});
