/** The metadata that is known: how its values are written in text. All other metadata is kept as it stands. */

/** Type names of plain values by field; the name in text is that of the field, but for those in {@link FIELD_NAMES}. */
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

/** The words that a field may have. */
export const FIELD_WORDS: Readonly<Record<string, readonly string[]>> = {
  permission: ['public', 'private'],
  displayUnit: ['mm', 'cm', 'dm', 'm', 'km', 'in', 'ft', 'yd', 'mi', 'deg', 'rad', 'percent', 'default'],
};

/** Fields whose name in text is another one. */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  doc: 'documentation',
  inherits: 'inheritPaths',
  payloads: 'payload',
  variants: 'variantSelection',
  variantSets: 'variantSetNames',
};

/** What the items of list-edited fields are. */
export const LIST_OP_FIELDS: Readonly<Record<string, 'token' | 'string' | 'path' | 'reference' | 'payload'>> = {
  apiSchemas: 'token',
  variantSetNames: 'string',
  clipSets: 'string',
  inheritPaths: 'path',
  specializes: 'path',
  references: 'reference',
  payload: 'payload',
};

/** Words before a list-edited field, and the list that they are of. */
export const LIST_OP_KEYWORDS = {
  add: 'added',
  prepend: 'prepended',
  append: 'appended',
  delete: 'deleted',
  reorder: 'ordered',
} as const;
export type ListOpKeyword = keyof typeof LIST_OP_KEYWORDS;

export function isListOpKeyword(word: string | null): word is ListOpKeyword {
  return word !== null && Object.hasOwn(LIST_OP_KEYWORDS, word);
}
