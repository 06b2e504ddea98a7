const TEXT_CLASS = /^(\w+)::/;

/**
 * Splits the name of an object: `Hips\0\x01Model` in binary files, `Model::Hips` in text files. A namespace (`mixamorig:Hips`) is part of the name; the class is
 * empty if there is only one half.
 */
export function splitName(written: string): { readonly name: string; readonly className: string } {
  const joint = written.indexOf('\0\x01');
  if (joint >= 0) return { name: written.slice(0, joint), className: written.slice(joint + 2) };
  const className = TEXT_CLASS.exec(written)?.[1];
  if (className === undefined) return { name: written, className: '' };
  return { name: written.slice(className.length + 2), className };
}

/** Returns the id of a named object in files without object numbers (FBX 6.1): `Model::Hips`. */
export function nameKey(written: string): string {
  const { name, className } = splitName(written);
  return className === '' ? name : `${className}::${name}`;
}
