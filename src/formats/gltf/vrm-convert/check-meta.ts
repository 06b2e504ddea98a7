/** Checks metadata of VRM 1.0 that a person wrote: VRMC_vrm.meta.schema.json. */
import { describeValue, isObject, type JsonObject } from '../document/json-access.ts';
import { isIndex } from '../document/loose-json.ts';
import { VRM_LICENSE } from '../extensions/vrm-conversion.ts';

/** Checks a value; returns what was expected instead, or null. */
type Check = (value: unknown) => string | null;

const text: Check = (value) => (typeof value === 'string' ? null : 'a text');
const filled: Check = (value) => (typeof value === 'string' && value.trim() !== '' ? null : 'a text that is not empty');
const flag: Check = (value) => (typeof value === 'boolean' ? null : 'true or false');
const texts: Check = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? null : 'a list of texts';
const authors: Check = (value) =>
  texts(value) === null && (value as string[]).length > 0 && (value as string[]).every((name) => name.trim() !== '')
    ? null
    : 'a list with at least one name';
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value as string) ? null : values.map((one) => JSON.stringify(one)).join(' or ');
const object: Check = (value) => (isObject(value) ? null : 'an object');
const any: Check = () => null;

const CHECKS: Readonly<Record<string, Check>> = {
  name: filled,
  version: text,
  authors,
  copyrightInformation: text,
  contactInformation: text,
  references: texts,
  thirdPartyLicenses: text,
  thumbnailImage: (value) => (isIndex(value) ? null : 'the index of an image of the file'),
  licenseUrl: oneOf(VRM_LICENSE),
  avatarPermission: oneOf('onlyAuthor', 'onlySeparatelyLicensedPerson', 'everyone'),
  allowExcessivelyViolentUsage: flag,
  allowExcessivelySexualUsage: flag,
  commercialUsage: oneOf('personalNonProfit', 'personalProfit', 'corporation'),
  allowPoliticalOrReligiousUsage: flag,
  allowAntisocialOrHateUsage: flag,
  creditNotation: oneOf('required', 'unnecessary'),
  allowRedistribution: flag,
  modification: oneOf('prohibited', 'allowModification', 'allowModificationRedistribution'),
  otherLicenseUrl: text,
  extensions: object,
  extras: any,
};

/** Entries that a VRM 1.0 cannot be without. */
const REQUIRED = ['name', 'authors', 'licenseUrl'] as const;

/** Lists what is wrong with metadata of VRM 1.0. */
export function findMetaFaults(meta: unknown, { isPartial = false }: { readonly isPartial?: boolean } = {}): string[] {
  if (!isObject(meta))
    return [`The metadata is ${describeValue(meta)}, expected an object with name, authors and licenseUrl.`];
  const object: JsonObject = meta;
  const missing = isPartial ? [] : REQUIRED.filter((key) => object[key] === undefined);
  const faults = missing.map((key) => {
    const hint = key === 'licenseUrl' ? `, which is always ${JSON.stringify(VRM_LICENSE)}` : '';
    return `${key} is missing, which VRM 1.0 requires${hint}.`;
  });
  for (const [key, value] of Object.entries(object)) {
    const check = Object.hasOwn(CHECKS, key) ? CHECKS[key] : undefined;
    if (check === undefined)
      faults.push(
        `${key} is not an entry of VRM 1.0 metadata; expected ${Object.keys(CHECKS).slice(0, -2).join(', ')}.`,
      );
    else {
      const expected = check(value);
      if (expected !== null) faults.push(`${key} is ${describeValue(value)}, expected ${expected}.`);
    }
  }
  return faults;
}
