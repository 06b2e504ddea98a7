/** Expands template asset paths of value clips, such as `walk.###.usd` (OpenUSD, usd/clipSetDefinition.cpp). */

/** The metadata `templateAssetPath`, `templateStartTime`, `templateEndTime`, `templateStride` and `templateActiveOffset`. */
export interface ClipTemplate {
  /** Path with one or two groups of `#`. */
  readonly assetPath: string;
  readonly startTime: number;
  readonly endTime: number;
  /** Step between time codes. */
  readonly stride: number;
  /** Offset of activation times, in time codes; null if not authored. */
  readonly activeOffset: number | null;
}

interface TemplateClip {
  readonly assetPath: string;
  /** Its time code, before layer offsets. */
  readonly time: number;
}

const MAX_CLIPS = 10_000;
/** Times are integers in these fractions of a time code, so that strides do not accumulate rounding errors. */
const PARTS = 10_000;

function padded(time: number, digits: number): string {
  const whole = Math.trunc(time);
  return whole < 0 ? `-${String(-whole).padStart(digits - 1, '0')}` : String(whole).padStart(digits, '0');
}

/** Lists the files of a template, whether they exist or not. */
export function templateClips(template: ClipTemplate): readonly TemplateClip[] | string {
  const { assetPath, startTime, endTime, stride, activeOffset } = template;
  if (!(stride > 0 && Number.isFinite(stride))) return `templateStride is ${stride}; expected a finite number above 0`;
  if (!(startTime <= endTime && Number.isFinite(endTime - startTime)))
    return `templateEndTime is before templateStartTime`;
  if (activeOffset !== null && !(Math.abs(activeOffset) <= stride))
    return 'templateActiveOffset is larger than templateStride';
  if ((endTime - startTime) / stride > MAX_CLIPS) return `it expands to more than ${MAX_CLIPS} files`;
  const cut = assetPath.lastIndexOf('/') + 1;
  const parts = assetPath.slice(cut).split('.');
  const groups = parts.flatMap((part, i) => (/^#+$/.test(part) ? [i] : []));
  const [whole, fraction] = groups;
  if (groups.length < 1 || groups.length > 2 || (groups.length === 2 && fraction !== whole + 1)) {
    return `templateAssetPath is ${assetPath}; expected a form like name.###.usd or name.###.###.usd`;
  }
  const clips: TemplateClip[] = [];
  for (let part = startTime * PARTS; part <= endTime * PARTS && clips.length <= MAX_CLIPS; part += stride * PARTS) {
    const time = part / PARTS;
    const named = [...parts];
    named[whole] = padded(time, parts[whole].length);
    if (fraction !== undefined) {
      const digits = Math.min(parts[fraction].length, 100);
      named[fraction] = time.toFixed(digits).split('.')[1] ?? '';
    }
    clips.push({ assetPath: assetPath.slice(0, cut) + named.join('.'), time });
  }
  return clips;
}

/** Computes the `times` and `active` metadata for the existing files of a template. */
export function templateTimePairs(
  template: ClipTemplate,
  clips: readonly TemplateClip[],
): { times: number[]; active: number[] } {
  const { startTime, endTime, activeOffset } = template;
  const times = clips.flatMap(({ time }) => [time, time]);
  const active = clips.flatMap(({ time }, i) => [time + (activeOffset ?? 0), i]);
  if (activeOffset !== null) {
    const first = startTime - Math.abs(activeOffset);
    const last = endTime + Math.abs(activeOffset);
    times.unshift(first, first);
    times.push(last, last);
  }
  return { times, active };
}
