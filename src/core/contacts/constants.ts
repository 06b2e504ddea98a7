/**
 * Constants of contacts that several files share, or that a clip and live contacts have of the same thing. "Leg" is thigh and shin in the reference pose;
 * heights and clearances are above the ground. Pairs are limits between which a value is eased. None has a source in the literature: they were tuned with the
 * figures of slide, drift, penetration, float and jerk that `npm run contacts` prints.
 */

/** Heights of toe joint or heel above where they are on the ground, legs: up to the first it is on the ground, from the second on it is in the air. */
export const FOOT_ON_GROUND = 0.03;
export const FOOT_IN_AIR = 0.07;
/** Clearances of the trunk, legs: up to the first it is on the ground, from the second on it is not. */
export const TRUNK_ON_GROUND = 0.02;
export const TRUNK_IN_AIR = 0.14;
/** Clearances of a sole, legs: up to the first it touches the ground, from the second on it does not. */
export const TOUCHING = 0.005;
export const CLOSE = 0.05;
/** Clearances of a sole, legs, below 0: down to the first it is grounded, from the second on it is not there on purpose. */
export const SUNK = -0.15;
export const LOST = -0.3;
/**
 * Speeds of a foot, upward and downward, or over the ground relative to the other foot while that is lower; legs per second: up to the first it may rest on the ground, from the second on it does not.
 */
export const RESTING = 0.5;
export const SWINGING = 1.5;

/** A plant of toe joint or heel begins below this speed, legs per second, and below this height, legs … */
export const ENTER_SPEED = 0.4;
export const ENTER_HEIGHT = 0.07;
/** … and ends above one of these, which are higher so that noise does not end it. */
export const LEAVE_SPEED = 0.7;
export const LEAVE_HEIGHT = 0.11;

/** Extension of a leg (distance from hip to ankle, legs, 0…1) up to which any leg may be stretched. */
export const FREE_EXTENSION = 0.97;
/** Distance from plain retargeting, legs, from which on a foot counts fully as moved. */
export const MOVED_FOOT = 0.005;

/** Weights of the height of the hips that a trunk on the ground wants, that a foot on the ground wants, and of plain retargeting; relative to each other. */
export const TRUNK_WEIGHT = 1200;
export const FOOT_WEIGHT = 40;
export const FREE_WEIGHT = 1;
/** The weight of a trunk in live contacts; apart, because their hips follow with a delay. */
export const LIVE_TRUNK_WEIGHT = 1500;
/** Stiffness of the height of the hips, seconds squared: it changes over about the square root. */
export const HIPS_STIFFNESS = 0.4;
/** Bending of the height of the hips, seconds to the fourth: it curves over about the fourth root. */
export const HIPS_BENDING = 8e-4;
/** Most that the hips are lowered for legs that are too short, legs. */
export const DEEPEST_DROP = 0.2;
/** Standard deviation with which hips are raised and lowered for legs that are too long or too short, seconds. */
export const HIPS_SIGMA = 0.09;

/** Depths beyond the allowed one that a step of the arms considers, lengths of the arm, below 0: those that it may make positive. */
export const CONSIDERED_DEPTH = -0.15;
