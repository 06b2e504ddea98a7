/** Guesses the encoding of text that is not UTF-8, from the bytes of names. */

interface LegacyEncoding {
  readonly name: string;
  /** Its label in the Encoding Standard, for TextDecoder. */
  readonly label: string;
}

interface Candidate extends LegacyEncoding {
  /**
   * Rates the character that starts at a byte of at least 0x80: about 1 for common ones, below 0 for those that names
   * do not have. `before` is the byte before it, `next` the byte after it, 0 at the ends.
   */
  readonly rate: (byte: number, next: number, before: number) => number;
  /** Tells whether a character that starts with this byte has one byte; characters have two otherwise. */
  readonly isSingle: (byte: number) => boolean;
}

const within = (byte: number, first: number, last: number): boolean => byte >= first && byte <= last;

/** Rows of the 94 × 94 sets of East Asia start at 0xA1. */
const FIRST_CELL = 0xa1;

function rateShiftJis(byte: number, next: number): number {
  // Halfwidth katakana.
  if (within(byte, 0xa1, 0xdf)) return 0.3;
  if (byte === 0x82) return within(next, 0x4f, 0xf1) ? 1 : -1;
  if (byte === 0x83) return within(next, 0x40, 0x96) ? 1 : 0;
  if (byte === 0x81) return 0.5;
  // Kanji of level 1, then of level 2.
  return within(byte, 0x88, 0x97) ? 0.8 : 0;
}

function rateEucJp(byte: number, next: number): number {
  if (next < FIRST_CELL) return -0.5;
  if (byte === 0xa4 || byte === 0xa5) return 1;
  return within(byte, 0xb0, 0xcf) ? 0.7 : byte === 0x8e ? -0.5 : 0;
}

function rateGbk(byte: number, next: number): number {
  if (byte < FIRST_CELL || next < FIRST_CELL) return -0.5;
  return within(byte, 0xb0, 0xd7) ? 0.8 : within(byte, 0xa1, 0xa3) ? 0.4 : 0;
}

function rateEucKr(byte: number, next: number): number {
  if (byte < FIRST_CELL || next < FIRST_CELL) return -0.5;
  return within(byte, 0xb0, 0xc8) ? 0.8 : within(byte, 0xa1, 0xa3) ? 0.4 : -0.5;
}

function rateBig5(byte: number): number {
  return within(byte, 0xa4, 0xc6) ? 0.8 : within(byte, 0xa1, 0xa3) ? 0.4 : within(byte, 0xc9, 0xf9) ? 0 : -0.5;
}

/** Letters with accents are between letters of ASCII. */
function rateWindows1252(byte: number, next: number, before: number): number {
  if (byte < 0xc0 || byte === 0xd7 || byte === 0xf7) return byte === 0xb7 || byte === 0xb0 ? 0 : -0.5;
  return next < 0x80 && before < 0x80 ? 0.6 : -0.2;
}

/** Words of lower case letters, with a capital at most at their start. */
function rateWindows1251(byte: number, next: number, before: number): number {
  if (byte < 0xc0) return -0.5;
  if (before < 0xc0 && next < 0xc0) return -0.5;
  return byte >= 0xe0 ? 0.5 : before < 0x80 ? 0.3 : -0.5;
}

const ALWAYS = (): boolean => true;
const NEVER = (): boolean => false;

/** The preferred one of equally probable encodings first. */
const CANDIDATES: readonly Candidate[] = [
  { name: 'Windows-1252', label: 'windows-1252', rate: rateWindows1252, isSingle: ALWAYS },
  {
    name: 'Shift-JIS',
    label: 'shift_jis',
    rate: rateShiftJis,
    isSingle: (byte) => byte === 0x80 || within(byte, 0xa0, 0xdf),
  },
  { name: 'GBK', label: 'gbk', rate: rateGbk, isSingle: NEVER },
  { name: 'EUC-KR', label: 'euc-kr', rate: rateEucKr, isSingle: NEVER },
  { name: 'Big5', label: 'big5', rate: rateBig5, isSingle: NEVER },
  { name: 'EUC-JP', label: 'euc-jp', rate: rateEucJp, isSingle: NEVER },
  { name: 'Windows-1251', label: 'windows-1251', rate: rateWindows1251, isSingle: ALWAYS },
];

/** Characters of the names of bones in Japanese, Chinese and Korean. Nearly every rig has left and right. */
const BODY = new Set(
  '左右上下前後后手足脚腳腿腕臂肘膝肩首頸颈頸頭头髪发髮胸腹腰尻背骨体體身指親亲拇人薬食中无無名小目眼耳鼻口舌爪先元根捻' +
    '왼오른쪽손발팔다리머목가슴허엉덩이어깨무릎상하체척추',
);
const BODY_RATE = 2;
const INVALID_RATE = -2;

/** Bytes that are rated: enough for the names of any rig. */
const MOST_BYTES = 65536;

/**
 * Guesses the encoding of texts that are not UTF-8. The bytes of short names are ambiguous: common characters of a script and those of bone names
 * decide. `texts`: bytes of texts that are not valid UTF-8, all in one encoding. Returns the most probable encoding: Windows-1252 without any
 * evidence.
 */
export function guessEncoding(texts: Iterable<Uint8Array>): LegacyEncoding {
  const ratings = new Float64Array(CANDIDATES.length);
  let left = MOST_BYTES;
  for (const text of texts) {
    const bytes = text.subarray(0, left);
    for (const [k, candidate] of CANDIDATES.entries()) ratings[k] += rateText(candidate, bytes);
    left -= bytes.length;
    if (left === 0) break;
  }
  return CANDIDATES[ratings.indexOf(Math.max(...ratings))];
}

function rateText({ label, rate, isSingle }: Candidate, bytes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] < 0x80) continue;
    sum += rate(bytes[i], bytes[i + 1] ?? 0, bytes[i - 1] ?? 0);
    if (!isSingle(bytes[i])) i++;
  }
  for (const character of new TextDecoder(label).decode(bytes)) {
    if (BODY.has(character)) sum += BODY_RATE;
    else if (character === '\ufffd' || (character >= '\ue000' && character <= '\uf8ff')) sum += INVALID_RATE;
  }
  return sum;
}
