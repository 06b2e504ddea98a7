/** Names of FBX objects: `Hips\0\x01Model` in binary files, `Model::Hips` in text files. */

/** The two halves of the name of an object. */
export interface FbxName {
  /** `Hips`; namespaces (`mixamorig:Hips`) stay. */
  readonly name: string;
  /** `Model`, `SubDeformer`…; empty when the name has one half only. */
  readonly className: string;
}

const TEXT_CLASS = /^(\w+)::/;

/** Takes a name apart. */
export function splitName(written: string): FbxName {
  const joint = written.indexOf('\0\x01');
  if (joint >= 0) return { name: written.slice(0, joint), className: written.slice(joint + 2) };
  const className = TEXT_CLASS.exec(written)?.[1];
  if (className === undefined) return { name: written, className: '' };
  return { name: written.slice(className.length + 2), className };
}

/** The key that stands for an object named so in files without numbers for objects (FBX 6.1): `Model::Hips`. */
export function nameKey(written: string): string {
  const { name, className } = splitName(written);
  return className === '' ? name : `${className}::${name}`;
}
