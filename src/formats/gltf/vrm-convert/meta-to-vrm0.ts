/** Metadata of VRM 1.0 as that of VRM 0.x. A conversion never permits more than the original. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { arrayAt, ensureList, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { isIndex, listOf, textOf } from '../document/loose-json.ts';
import { USERS } from './meta.ts';

const POINTER = '/extensions/VRMC_vrm/meta';

function textsOf(meta: JsonObject, key: string): string[] {
  return listOf(meta, key).filter((text): text is string => typeof text === 'string' && text !== '');
}

function thumbnailTexture(json: JsonObject, image: number): number {
  const textures = arrayAt(json, 'textures', '');
  const known = textures.findIndex((texture) => isObject(texture) && memberAt(texture, 'source') === image);
  return known >= 0 ? known : ensureList(json, 'textures').push({ source: image }) - 1;
}

/** Terms of the original that VRM 0.x has no entry for. */
function lostTerms(meta: JsonObject): string[] {
  const lost = ['copyrightInformation', 'thirdPartyLicenses'].filter((key) => textOf(meta, key) !== '');
  for (const key of ['allowPoliticalOrReligiousUsage', 'allowAntisocialOrHateUsage'])
    if (memberAt(meta, key) === true) lost.push(key);
  if (textOf(meta, 'creditNotation') === 'unnecessary') lost.push('creditNotation');
  if (/^allow/.test(textOf(meta, 'modification'))) lost.push('modification');
  if (memberAt(meta, 'allowRedistribution') === true) lost.push('allowRedistribution');
  if (textOf(meta, 'commercialUsage') === 'personalProfit') lost.push('commercialUsage (personal profit only)');
  return lost;
}

/**
 * Converts metadata of VRM 1.0. The license becomes `Redistribution_Prohibited`, because no license of VRM 0.x has the terms of VRM 1.0;
 * `otherPermissionUrl` names the license of the original. `issues` receives VRM_CONVERT_META for terms that VRM 0.x cannot express.
 */
export function metaToVrm0(meta: JsonObject, json: JsonObject, issues: Issue[]): JsonObject {
  const lost = lostTerms(meta);
  if (lost.length > 0) {
    const message = `VRM 0.x has no entries for ${lost.join(', ')}; nothing more was permitted for them, and otherPermissionUrl names the license.`;
    issues.push(issue('VRM_CONVERT_META', message, { pointer: POINTER }));
  }
  const image = memberAt(meta, 'thumbnailImage');
  const isImage = isIndex(image, arrayAt(json, 'images', '').length);
  const user = textOf(meta, 'avatarPermission');
  const allowed = (isAllowed: boolean): string => (isAllowed ? 'Allow' : 'Disallow');
  return {
    title: textOf(meta, 'name'),
    version: textOf(meta, 'version'),
    author: textsOf(meta, 'authors').join(', '),
    contactInformation: textOf(meta, 'contactInformation'),
    reference: textsOf(meta, 'references').join(', '),
    ...(isImage ? { texture: thumbnailTexture(json, image) } : {}),
    allowedUserName: Object.entries(USERS).find(([, name]) => name === user)?.[0] ?? 'OnlyAuthor',
    violentUssageName: allowed(memberAt(meta, 'allowExcessivelyViolentUsage') === true),
    sexualUssageName: allowed(memberAt(meta, 'allowExcessivelySexualUsage') === true),
    commercialUssageName: allowed(textOf(meta, 'commercialUsage') === 'corporation'),
    otherPermissionUrl: textOf(meta, 'otherLicenseUrl') || textOf(meta, 'licenseUrl'),
    licenseName: 'Redistribution_Prohibited',
    otherLicenseUrl: '',
  };
}
