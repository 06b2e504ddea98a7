/** Splits names of FBX objects: `Hips\0\x01Model` in binary files, `Model::Hips` in text files. */

interface FbxName {
  /** `Hips`. A namespace (`mixamorig:Hips`) is part of it. */
  readonly name: string;
  /** `Model`, `SubDeformer`…; empty if the name has only one half. */
  readonly className: string;
}

const TEXT_CLASS = /^(\w+)::/;

export function splitName(written: string): FbxName {
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
