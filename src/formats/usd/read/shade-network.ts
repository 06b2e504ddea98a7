/** Networks of shaders: where what goes into a shader comes from (UsdShade). */
import { primOf, propertyOf } from '../layer/paths.ts';
import { numbersOf, textsOf } from '../skel/stage-reading.ts';
import { isUsable, type Prim, primAt, type Stage } from '../stage/stage.ts';
import { connectionsOf } from '../stage/targets.ts';
import { hasAuthoredValue } from '../stage/values.ts';
import { restValue } from './rest-value.ts';

/** What feeds an input: the value of an attribute, its own or that of an interface it is connected to, or an output of a shader. */
export type InputSource =
  | { readonly type: 'value'; readonly prim: string; readonly name: string }
  | { readonly type: 'output'; readonly shader: string; readonly output: string };

/** Connections on the way from interface to interface: more is a cycle or an attack. */
const MAX_CONNECTIONS = 100;

/** The `info:id` of a shader, `UsdPreviewSurface`; null without one. */
export function shaderId(stage: Stage, shader: string): string | null {
  return textsOf(restValue(stage, shader, 'info:id'))?.[0] ?? null;
}

/** What a shader is, for messages: its id, or the name of what it calls in a file. */
export function shaderName(stage: Stage, shader: string): string {
  const id = shaderId(stage, shader);
  if (id !== null) return id;
  const properties = primAt(stage, shader)?.properties ?? [];
  const inFile = properties.find((name) => /^info:\w+:sourceAsset:subIdentifier$/.test(name));
  return (inFile === undefined ? null : textsOf(restValue(stage, shader, inFile))?.[0]) ?? 'a shader without an id';
}

function isShader(stage: Stage, { path, typeName }: Prim): boolean {
  return typeName === 'Shader' || (typeName === '' && shaderId(stage, path) !== null);
}

/**
 * Where an attribute of a shader or an output of a material gets its value from. Inputs of materials and node graphs are passed through; of those on
 * the way the last one that has a value counts, where none ends at a shader. Connections that lead nowhere are as none.
 */
export function inputSource(stage: Stage, prim: string, name: string): InputSource {
  let at = { prim, name };
  let valued = at;
  for (let step = 0; step < MAX_CONNECTIONS; step++) {
    if (hasAuthoredValue(stage, at.prim, at.name)) valued = at;
    const target = connectionsOf(stage, at.prim, at.name)?.[0];
    const owner = target === undefined ? null : primAt(stage, primOf(target));
    if (target === undefined || owner === null || !isUsable(owner)) break;
    at = { prim: owner.path, name: propertyOf(target) };
    if (isShader(stage, owner) && at.name.startsWith('outputs:')) {
      return { type: 'output', shader: at.prim, output: at.name.slice('outputs:'.length) };
    }
  }
  return { type: 'value', ...valued };
}

/** Numbers of an attribute, one tuple; null where there is no value of so many finite numbers. */
export function attributeNumbers(stage: Stage, prim: string, name: string, width: number): number[] | null {
  const numbers = Array.from(numbersOf(restValue(stage, prim, name), width) ?? []).slice(0, width);
  return numbers.length === width && numbers.every(Number.isFinite) ? numbers : null;
}

/** Numbers that an input has without any shader before it; null without, or where a shader makes them. */
export function inputNumbers(stage: Stage, shader: string, input: string, width: number): number[] | null {
  const source = inputSource(stage, shader, `inputs:${input}`);
  return source.type === 'value' ? attributeNumbers(stage, source.prim, source.name, width) : null;
}

/** The text that an input has without any shader before it; null without. */
export function inputText(stage: Stage, shader: string, input: string): string | null {
  const source = inputSource(stage, shader, `inputs:${input}`);
  return source.type === 'value' ? (textsOf(restValue(stage, source.prim, source.name))?.[0] ?? null) : null;
}
