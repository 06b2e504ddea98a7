/** Added to each page by the script: sends what the page shows to the script. */

/** Seconds, inside the walk of the demo. */
export const TIMES: readonly number[] = [0, 0.31, 0.77, 1.2, 1.9];

/** Local transforms by node name: translation xyz, rotation xyzw, scale xyz. */
export type Pose = Record<string, number[]>;

/** What a page shows. */
export interface Shown {
  readonly poses: readonly { readonly time: number; readonly pose: Pose }[];
  /** A picture at the last time, as a data URL. */
  readonly picture: string;
  /** Fraction of the pixels that differ from the corner of the picture. */
  readonly drawn: number;
}

/** Sends a result to the script. */
export async function send(result: unknown): Promise<void> {
  await fetch('/done', { method: 'POST', body: JSON.stringify({ result }) });
}

/** Returns the fraction of the pixels that differ from the first one. */
function drawnFraction(canvas: HTMLCanvasElement): number {
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d') as CanvasRenderingContext2D;
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let differing = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i] !== data[0] || data[i + 1] !== data[1]) differing++;
  return differing / (data.length / 4);
}

/**
 * Shows the page at several times and sends its poses and a picture.
 *
 * @param show Shows the page at a time, in seconds.
 * @param pose Returns the pose that is shown.
 * @param draw Draws the page and returns its canvas.
 */
export async function sendPoses(
  show: (time: number) => void,
  pose: () => Pose,
  draw: () => HTMLCanvasElement,
): Promise<void> {
  const poses = TIMES.map((time) => {
    show(time);
    return { time, pose: pose() };
  });
  const canvas = draw();
  await send({ poses, picture: canvas.toDataURL(), drawn: drawnFraction(canvas) } satisfies Shown);
}
