/** Checks of data that came from outside: journals, answers of workers, reports, jobs. A shape takes plain JSON and returns a copy of what it knows. */
import { isObject } from '../../core/text/is-object.ts';

/** Checks a value; `where` names it in errors. The copy has known fields only. Throws {@link ShapeError}. */
export type Shape<Type> = (value: unknown, where: string) => Type;

export class ShapeError extends Error {}

const MOST_SHOWN = 80;

/** Describes a value in one line, without printing all of it. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

export function valueThat<Type>(is: (value: unknown) => boolean, expected: string): Shape<Type> {
  return (value, where) => {
    if (is(value)) return value as Type;
    throw new ShapeError(`${where} is ${shown(value)}; expected ${expected}`);
  };
}

export const text: Shape<string> = valueThat((value) => typeof value === 'string', 'text');

export const count: Shape<number> = valueThat((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'a count');

export const flag: Shape<boolean> = valueThat((value) => typeof value === 'boolean', 'true or false');

/** A measured number. JSON writes those that are not finite as null, which counts as 0. */
export const figure: Shape<number> = (value, where) =>
  value === null ? 0 : valueThat<number>((one) => typeof one === 'number', 'a number')(value, where);

export function oneOf<const Type extends string>(values: readonly Type[]): Shape<Type> {
  return valueThat((value) => values.some((one) => one === value), `one of ${values.join(', ')}`);
}

export function textLike(pattern: RegExp, expected: string): Shape<string> {
  return valueThat((value) => typeof value === 'string' && pattern.test(value), expected);
}

export function orNull<Type>(shape: Shape<Type>): Shape<Type | null> {
  return (value, where) => (value === null ? null : shape(value, where));
}

export function optional<Type>(shape: Shape<Type>): Shape<Type | undefined> {
  return (value, where) => (value === undefined ? undefined : shape(value, where));
}

export function listOf<Type>(shape: Shape<Type>): Shape<Type[]> {
  return (value, where) => {
    if (!Array.isArray(value)) throw new ShapeError(`${where} is ${shown(value)}; expected a list`);
    return value.map((one, k) => shape(one, `${where}[${k}]`));
  };
}

/** An object that is used as a dictionary. */
export function dictionaryOf<Type>(shape: Shape<Type>): Shape<Record<string, Type>> {
  return (value, where) => {
    if (!isObject(value)) throw new ShapeError(`${where} is ${shown(value)}; expected an object`);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one, where)]));
  };
}

/** An object with fields. Others are left out. */
export function objectOf<Type extends object>(
  fields: {
    readonly [Key in keyof Type]-?: Shape<Type[Key] | (object extends Pick<Type, Key> ? undefined : never)>;
  },
): Shape<Type> {
  const known = Object.entries<Shape<unknown>>(fields);
  return (value, where) => {
    if (!isObject(value)) throw new ShapeError(`${where} is ${shown(value)}; expected an object`);
    const copy: Record<string, unknown> = {};
    for (const [key, shape] of known) {
      const field = shape(Object.hasOwn(value, key) ? value[key] : undefined, `${where}.${key}`);
      if (field !== undefined) copy[key] = field;
    }
    return copy as Type;
  };
}

/** Returns a checked copy; null for a value of another shape. */
export function matching<Type>(shape: Shape<Type>, value: unknown): Type | null {
  try {
    return shape(value, 'value');
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}
