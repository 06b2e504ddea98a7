/**
 * Metadata of VRM 0.x as that of VRM 1.0. A conversion never permits more than the original: where the versions differ,
 * the stricter value is written and reported.
 */

import { type Issue, issue } from '../../../core/report/issue.ts';
import { arrayAt, type JsonObject, memberAt } from '../document/json-access.ts';
import { isIndex, memberOf, textOf } from '../document/loose-json.ts';
import { VRM_LICENSE } from '../extensions/vrm-conversion.ts';

const POINTER = '/extensions/VRM/meta';

/** Permissions that VRM 0.x names. */
export const USERS = {
  OnlyAuthor: 'onlyAuthor',
  ExplicitlyLicensedPerson: 'onlySeparatelyLicensedPerson',
  Everyone: 'everyone',
} as const;

const CC = 'https://creativecommons.org/';
const LICENSE_PAGES: Readonly<Record<string, string>> = {
  CC0: `${CC}publicdomain/zero/1.0/`,
  CC_BY: `${CC}licenses/by/4.0/`,
  CC_BY_NC: `${CC}licenses/by-nc/4.0/`,
  CC_BY_SA: `${CC}licenses/by-sa/4.0/`,
  CC_BY_NC_SA: `${CC}licenses/by-nc-sa/4.0/`,
  CC_BY_ND: `${CC}licenses/by-nd/4.0/`,
  CC_BY_NC_ND: `${CC}licenses/by-nc-nd/4.0/`,
};

/** Adds members that are not empty strings. */
function withTexts(meta: JsonObject, texts: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(texts)) if (text !== '') meta[key] = text;
}

/** Converts metadata of VRM 0.x. `issues` receives VRM_CONVERT_META for missing names, stricter permissions and licenses. */
export function metaToVrm1(old: JsonObject, supplied: JsonObject, json: JsonObject, issues: Issue[]): JsonObject {
  const report = (message: string): void => {
    issues.push(issue('VRM_CONVERT_META', message, { pointer: POINTER }));
  };
  const name = textOf(old, 'title');
  const author = textOf(old, 'author');
  const isNeeded = (text: string, key: string): boolean => text === '' && memberAt(supplied, key) === undefined;
  const missing = [
    ...(isNeeded(name, 'name') ? ['a title'] : []),
    ...(isNeeded(author, 'authors') ? ['an author'] : []),
  ];
  if (missing.length > 0)
    report(
      `The metadata lacks ${missing.join(' and ')}, which VRM 1.0 requires; "Untitled" and "Unknown" were written. Supply them with the option meta.`,
    );
  const meta: JsonObject = { name: name || 'Untitled' };
  withTexts(meta, { version: textOf(old, 'version') });
  meta['authors'] = [author || 'Unknown'];
  withTexts(meta, { contactInformation: textOf(old, 'contactInformation') });
  const reference = textOf(old, 'reference');
  if (reference !== '') meta['references'] = [reference];
  const texture = memberAt(old, 'texture');
  const source = isIndex(texture) ? arrayAt(json, 'textures', '')[texture] : undefined;
  const image = memberOf(source, 'source');
  if (isIndex(image)) meta['thumbnailImage'] = image;
  const user = textOf(old, 'allowedUserName') as keyof typeof USERS;
  const license = textOf(old, 'licenseName');
  const urls = [textOf(old, 'otherLicenseUrl'), textOf(old, 'otherPermissionUrl')].filter((url) => url !== '');
  if (urls.length === 0 && LICENSE_PAGES[license] !== undefined) urls.push(LICENSE_PAGES[license]);
  Object.assign(meta, {
    licenseUrl: VRM_LICENSE,
    avatarPermission: Object.hasOwn(USERS, user) ? USERS[user] : 'onlyAuthor',
    allowExcessivelyViolentUsage: textOf(old, 'violentUssageName') === 'Allow',
    allowExcessivelySexualUsage: textOf(old, 'sexualUssageName') === 'Allow',
    commercialUsage: textOf(old, 'commercialUssageName') === 'Allow' ? 'personalProfit' : 'personalNonProfit',
    allowPoliticalOrReligiousUsage: false,
    allowAntisocialOrHateUsage: false,
    creditNotation: 'required',
    allowRedistribution: false,
    modification: 'prohibited',
  });
  withTexts(meta, { otherLicenseUrl: [...new Set(urls)].join(' ') });
  const isSupplied = ['allowRedistribution', 'modification'].some((key) => memberAt(supplied, key) !== undefined);
  if (license !== '' && license !== 'Redistribution_Prohibited' && !isSupplied) {
    report(
      `The license ${license} is not a term of VRM 1.0, so redistribution and modification were set to prohibited${urls.length > 0 ? ', and otherLicenseUrl names its terms' : ''}. Set them with the option meta if you hold the rights.`,
    );
  }
  return { ...meta, ...supplied };
}
