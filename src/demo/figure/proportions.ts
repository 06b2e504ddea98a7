/** Segment lengths of a figure in meters, from joint to joint. */
export interface Proportions {
  /** Sole to ankle. */
  readonly ankle: number;
  readonly leg: number;
  /** Between the hip joints. */
  readonly hipWidth: number;
  /** Hips to neck. */
  readonly spine: number;
  /** Neck to head joint. */
  readonly neck: number;
  /** Head joint to crown. */
  readonly head: number;
  /** Between the shoulder joints. */
  readonly shoulderWidth: number;
  readonly arm: number;
  /** Wrist to the tip of the middle finger. */
  readonly hand: number;
  readonly foot: number;
  /** Limb thickness relative to {@link ADULT}; affects the mesh only. */
  readonly girth: number;
}

/** 1.75 m, after the segment lengths of Drillis and Contini (Winter, Biomechanics and Motor Control, chapter 4). */
export const ADULT: Proportions = {
  ankle: 0.08,
  leg: 0.83,
  hipWidth: 0.18,
  spine: 0.5,
  neck: 0.1,
  head: 0.2,
  shoulderWidth: 0.35,
  arm: 0.55,
  hand: 0.19,
  foot: 0.26,
  girth: 1,
};

/** 1.1 m, a child of up to seven years. */
export const CHILD: Proportions = {
  ankle: 0.05,
  leg: 0.45,
  hipWidth: 0.12,
  spine: 0.31,
  neck: 0.05,
  head: 0.2,
  shoulderWidth: 0.22,
  arm: 0.34,
  hand: 0.115,
  foot: 0.165,
  girth: 0.72,
};

/** 1.1 m; the head is more than a third of the height. */
export const CHIBI: Proportions = {
  ankle: 0.06,
  leg: 0.31,
  hipWidth: 0.15,
  spine: 0.27,
  neck: 0.03,
  head: 0.41,
  shoulderWidth: 0.26,
  arm: 0.3,
  hand: 0.12,
  foot: 0.16,
  girth: 0.95,
};

/** 2.05 m, long limbs. */
export const TALL: Proportions = {
  ankle: 0.085,
  leg: 1.06,
  hipWidth: 0.17,
  spine: 0.54,
  neck: 0.13,
  head: 0.2,
  shoulderWidth: 0.36,
  arm: 0.7,
  hand: 0.22,
  foot: 0.29,
  girth: 0.78,
};

/** 2.3 m, short legs, long arms, wide. */
export const HEAVY: Proportions = {
  ankle: 0.12,
  leg: 0.93,
  hipWidth: 0.34,
  spine: 0.8,
  neck: 0.09,
  head: 0.27,
  shoulderWidth: 0.64,
  arm: 0.88,
  hand: 0.29,
  foot: 0.38,
  girth: 1.75,
};
