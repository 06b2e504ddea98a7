/** Pictures in lines, drawn in the color of the text. */
import type { JSX } from 'preact';

const PATHS = {
  motion: 'M13 4.5a1.8 1.8 0 1 0 .01 0M7 21l3-6 1-4 4 2 1 4 3 2M5 12l3-3.5 4-.5 3 3 4 1',
  character: 'M12 3a3 3 0 1 0 .01 0M5 12c2-2.4 4.4-3 7-3s5 .6 7 3M9 9.500V15l-1 6M15 9.500V15l1 6M9 15h6',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  back: 'M18 6l-8 6 8 6zM6 6v12',
  on: 'M6 6l8 6-8 6zM18 6v12',
  repeat: 'M4 12V9a3 3 0 0 1 3-3h11l-3-3M20 12v3a3 3 0 0 1-3 3H6l3 3',
  undo: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  redo: 'M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.700l-1.3 1.300M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.700l1.3-1.3',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  folder: 'M3 6h6l2 2h10v11H3z',
  help: 'M9 9a3 3 0 1 1 4.5 2.600c-1 .6-1.5 1.2-1.5 2.400M12 17.500v.01',
  check: 'M5 12.500l5 5 9-11',
  eye: 'M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.500S2.5 12 2.5 12zM12 9.500a2.5 2.5 0 1 0 .01 0',
  camera: 'M4 8h3l2-3h6l2 3h3v11H4zM12 10a3 3 0 1 0 .01 0',
  row: 'M6 5a2 2 0 1 0 .01 0M6 9v5M6 14l-2 6M6 14l2 6M18 5a2 2 0 1 0 .01 0M18 9v5M18 14l-2 6M18 14l2 6',
  chart: 'M4 20V4M4 20h16M7 16l4-5 3 3 5-7',
  close: 'M6 6l12 12M18 6L6 18',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture of 20 × 20 pixels beside a text, or alone in a button with a label. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo: a figure that leaps out of its skeleton. */
export function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" />
      <circle cx="18.5" cy="7.5" r="3.2" />
      <path d="M6.5 14.500l5.5-2.5 5 1.5 4.5 3.5 4.5-2.500M17 13.500l-2 6.5-6 5.500M15 20l6 2 2.5 4.5" />
    </svg>
  );
}
