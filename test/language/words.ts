/**
 * The words that anyrig does not use, and what it says instead: the replacement table of CONTRIBUTING.md ("Words") as patterns.
 * `identifiers` are matched against the lower-case words of a name (`hangOnBones` → hang, on, bones), `prose` against sentences.
 */
export interface BannedWord {
  /** The entry of the table. */
  readonly instead: string;
  /** Words that no identifier, file name or issue code contains. */
  readonly identifiers: readonly string[];
  /** Matches in comments, messages, help and docs; null where only names are checked. */
  readonly prose: RegExp | null;
}

export const BANNED_WORDS: readonly BannedWord[] = [
  {
    instead: 'be parented to, be skinned to, reference',
    identifiers: ['hang', 'hangs', 'hanging', 'hung', 'rehang', 'rehung'],
    prose: /\b(re)?(hang(s|ing)?|hung)\b/i,
  },
  {
    instead: 'rotate, rotation',
    identifiers: ['turn', 'turns', 'turned', 'turning'],
    prose: /\b(?<!(?:in|full|half|quarter) )(?:turn(s|ed|ing)?)\b(?! (?:on|off|into|out|to text)\b)/i,
  },
  {
    instead: 'index, offset, location, transform or position',
    identifiers: ['place', 'places', 'placed'],
    prose: /\b(?<!\b(?:in|takes?|decimal|taking|took) )places?\b/i,
  },
  {
    instead: 'non-X, invalid, without X',
    identifiers: [],
    prose: /\b(?:that|which|what|who) (?:is|are|was|were) (?:no|none)\b(?! longer)|\b(?:is|are) none\b|\bwhat is no\b/i,
  },
  { instead: 'repair', identifiers: ['mend', 'mends', 'mended', 'mending'], prose: /\bmend(s|ed|ing)?\b/i },
  {
    instead: 'report, reported',
    identifiers: ['told'],
    prose: /\b(?:told|tells? of|spoken of|speaks? of|says? of)\b/i,
  },
  { instead: 'constant, missing in the source', identifiers: ['held'], prose: /\bheld\b/i },
  {
    instead: 'missing in the target',
    identifiers: ['folded'],
    prose: /\b(?:bones?|motion|joints?) (?:is|are|was|were) folded\b/i,
  },
  {
    instead: 'root motion',
    identifiers: ['traveler', 'traveller'],
    prose: /\btravell?ers?\b|\bthe way (?:is|of|that)\b/i,
  },
  { instead: 'pose error', identifiers: ['gesture', 'gestures'], prose: /\bgestures?\b/i },
  {
    instead: 'twist, distributed rotation',
    identifiers: ['share', 'shares'],
    prose: /\bshares? of\b|\b(?:a|the|its|their) shares?\b/i,
  },
  {
    instead: 'detached joint, constraint',
    identifiers: ['follower', 'followers', 'attachment', 'attachments'],
    prose: /\bfollowers?\b|\battachments?\b/i,
  },
  { instead: 'user-supplied, explicit', identifiers: ['given'], prose: /\bgiven (?:bone )?(?:map|pose|bones)\b/i },
  { instead: 'integration, plugin, adapter', identifiers: ['door', 'doors'], prose: /\bdoors?\b/i },
  { instead: 'look-at', identifiers: ['gaze', 'gazes'], prose: /\bgazes?\b/i },
  {
    instead: 'is',
    identifiers: ['stands', 'rests', 'lies'],
    prose: /\bstands? (?:as|in|where|to|beside|elsewhere|for itself|off|at)\b|\blies\b/i,
  },
  {
    instead: 'unusual, out of range, ambiguous',
    identifiers: ['odd', 'wild', 'unsure'],
    prose: /\bodd(?:ly|ities)?\b(?! (?:number|count|index|and even|or even))|\bwild(?:ly)?\b|\bunsure\b/i,
  },
  { instead: 'procedural', identifiers: [], prose: /\bmade by code\b/i },
  { instead: 'meter', identifiers: ['metre', 'metres'], prose: /\b(?:centi|milli|deci|kilo)?metres?\b/i },
];
