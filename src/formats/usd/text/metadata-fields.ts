/** The known metadata fields and how their values are written in text. The text of unknown fields is kept unchanged. */

/**
 * Value types of plain fields by field name. The name in text is the field name, except for {@link FIELD_NAMES}. Besides USD types there are `word`
 * (an enumeration, see {@link FIELD_WORDS}), `bareToken` (a token without quotes) and `substitutions` (a dictionary of strings).
 */
export const FIELD_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: [
      'documentation',
      'comment',
      'displayName',
      'displayGroup',
      'sessionOwner',
      'owner',
      'prefix',
      'suffix',
      'symmetricPeer',
    ],
    token: [
      'kind',
      'defaultPrim',
      'upAxis',
      'interpolation',
      'colorSpace',
      'colorManagementSystem',
      'bindMaterialAs',
      'connectability',
      'outputName',
      'renderType',
      'playbackMode',
    ],
    'token[]': ['allowedTokens'],
    'string[]': ['displayGroupOrder'],
    bool: ['active', 'hidden', 'instanceable', 'hasOwnedSubLayers', 'noLoadHint', 'autoPlay'],
    int: ['framePrecision', 'elementSize', 'unauthoredValuesIndex'],
    int64: ['arraySizeConstraint'],
    float: ['weight'],
    double: [
      'startTimeCode',
      'endTimeCode',
      'timeCodesPerSecond',
      'framesPerSecond',
      'metersPerUnit',
      'kilogramsPerUnit',
      'startFrame',
      'endFrame',
    ],
    asset: ['colorConfiguration'],
    dictionary: [
      'customData',
      'assetInfo',
      'customLayerData',
      'clips',
      'sdrMetadata',
      'fallbackPrimTypes',
      'expressionVariables',
      'symmetryArguments',
      'limits',
    ],
    word: ['permission', 'displayUnit'],
    bareToken: ['symmetryFunction'],
    substitutions: ['prefixSubstitutions', 'suffixSubstitutions'],
  }).flatMap(([type, names]) => names.map((name): [string, string] => [name, type])),
);

export const FIELD_WORDS: Readonly<Record<string, readonly string[]>> = {
  permission: ['public', 'private'],
  displayUnit: ['mm', 'cm', 'dm', 'm', 'km', 'in', 'ft', 'yd', 'mi', 'deg', 'rad', 'percent', 'default'],
};

/** Field names by their name in text, where the two differ. */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  doc: 'documentation',
  inherits: 'inheritPaths',
  payloads: 'payload',
  variants: 'variantSelection',
  variantSets: 'variantSetNames',
};

export const LIST_OP_FIELDS: Readonly<Record<string, 'token' | 'string' | 'path' | 'reference' | 'payload'>> = {
  apiSchemas: 'token',
  variantSetNames: 'string',
  clipSets: 'string',
  inheritPaths: 'path',
  specializes: 'path',
  references: 'reference',
  payload: 'payload',
};

/** The keywords before a list-op field, and the list of the list op that each of them sets. */
export const LIST_OP_KEYWORDS = {
  add: 'added',
  prepend: 'prepended',
  append: 'appended',
  delete: 'deleted',
  reorder: 'ordered',
} as const;
export type ListOpKeyword = keyof typeof LIST_OP_KEYWORDS;

/** Tests whether a word is a list-op keyword. `word`: a word of the text; null for none. */
export function isListOpKeyword(word: string | null): word is ListOpKeyword {
  return word !== null && Object.hasOwn(LIST_OP_KEYWORDS, word);
}
