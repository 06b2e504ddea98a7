import { primPathOf, propertyNameOf } from '../../layer/paths.ts';
import { numbersOf, textsOf } from '../../skel/typed-values.ts';
import { hasAuthoredValue } from '../../stage/attribute-values.ts';
import { connectionsOf } from '../../stage/relationship-targets.ts';
import { isUsable, type Prim, primAt, type Stage } from '../../stage/stage.ts';
import { restValue } from '../rest-value.ts';

/** The source of an input: the value of an attribute (its own or one of an interface that it is connected to), or a shader output. */
type InputSource =
  | { readonly type: 'value'; readonly prim: string; readonly name: string }
  | { readonly type: 'output'; readonly shader: string; readonly output: string };

/** Maximum length of a chain of connections; longer ones are cycles or hostile. */
const MAX_CONNECTIONS = 100;

/** Reads the `info:id` of a shader, such as `UsdPreviewSurface`. Returns the id; null without one. */
export function shaderId(stage: Stage, shader: string): string | null {
  return textsOf(restValue(stage, shader, 'info:id'))?.[0] ?? null;
}

/** Names a shader for messages: its id, or the subidentifier of its source asset. */
export function shaderName(stage: Stage, shader: string): string {
  const id = shaderId(stage, shader);
  if (id !== null) return id;
  const properties = primAt(stage, shader)?.properties ?? [];
  const identifier = properties.find((name) => /^info:\w+:sourceAsset:subIdentifier$/.test(name));
  const name = identifier === undefined ? null : textsOf(restValue(stage, shader, identifier))?.[0];
  return name ?? 'a shader without an id';
}

function isShader(stage: Stage, { path, typeName }: Prim): boolean {
  return typeName === 'Shader' || (typeName === '' && shaderId(stage, path) !== null);
}

/**
 * Finds the source of a shader input or a material output. Connections are followed through inputs of materials and node graphs. If the chain does
 * not end at a shader, the last attribute with an authored value is the source. Connections to missing prims are ignored.
 */
export function inputSource(stage: Stage, prim: string, name: string): InputSource {
  let at = { prim, name };
  let valued = at;
  for (let step = 0; step < MAX_CONNECTIONS; step++) {
    if (hasAuthoredValue(stage, at.prim, at.name)) valued = at;
    const target = connectionsOf(stage, at.prim, at.name)?.[0];
    const owner = target === undefined ? null : primAt(stage, primPathOf(target));
    if (target === undefined || owner === null || !isUsable(owner)) break;
    at = { prim: owner.path, name: propertyNameOf(target) };
    if (isShader(stage, owner) && at.name.startsWith('outputs:')) {
      return { type: 'output', shader: at.prim, output: at.name.slice('outputs:'.length) };
    }
  }
  return { type: 'value', ...valued };
}

/** Reads the numbers of an attribute. Returns the first tuple; null if there is no finite tuple of this width. */
export function attributeNumbers(stage: Stage, prim: string, name: string, width: number): number[] | null {
  const numbers = Array.from(numbersOf(restValue(stage, prim, name), width) ?? []).slice(0, width);
  return numbers.length === width && numbers.every(Number.isFinite) ? numbers : null;
}

/** Reads the numbers of an input that is not connected to a shader. Returns the tuple; null without one, or if a shader provides it. */
export function inputNumbers(stage: Stage, shader: string, input: string, width: number): number[] | null {
  const source = inputSource(stage, shader, `inputs:${input}`);
  return source.type === 'value' ? attributeNumbers(stage, source.prim, source.name, width) : null;
}

/** Reads the token or string of an input that is not connected to a shader. Returns the text; null without one. */
export function inputText(stage: Stage, shader: string, input: string): string | null {
  const source = inputSource(stage, shader, `inputs:${input}`);
  return source.type === 'value' ? (textsOf(restValue(stage, source.prim, source.name))?.[0] ?? null) : null;
}
