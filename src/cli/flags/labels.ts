import type { ArgDef, ArgsDef } from 'citty';
import type { OptionGroup } from '../../files/options/motion-options.ts';

/** The definition of a flag in a section of the help; others are under OPTIONS. */
export type GroupedFlag = ArgDef & { readonly group?: OptionGroup };

export const SEVERAL = '...';

/** Names an argument or flag: `<MOTION...>`, `-o <FILE>`, `--clip <NAME|INDEX>`. */
export function labelOf(name: string, def: ArgDef): string {
  if (def.type === 'positional') return `<${name.toUpperCase()}${def.valueHint === SEVERAL ? SEVERAL : ''}>`;
  const alias = 'alias' in def ? [def.alias].flat()[0] : undefined;
  const spelling = alias === undefined ? `--${name}` : `-${alias}`;
  return def.type === 'boolean' ? spelling : `${spelling} <${def.valueHint ?? name.toUpperCase()}>`;
}

/** Tells whether a command cannot run without an argument or flag. */
export function isRequired(def: ArgDef): boolean {
  if (def.default !== undefined) return false;
  return def.type === 'positional' ? def.required !== false : def.required === true;
}

export function usageLine(command: string, defs: ArgsDef): string {
  const all = Object.entries(defs);
  const positionals = all.filter(([, def]) => def.type === 'positional');
  const flags = all.filter(([, def]) => def.type !== 'positional' && isRequired(def));
  const parts = [...positionals, ...flags].map(([name, def]) => {
    return isRequired(def) ? labelOf(name, def) : `[${labelOf(name, def).slice(1, -1)}]`;
  });
  return [command, '[OPTIONS]', ...parts].join(' ');
}
