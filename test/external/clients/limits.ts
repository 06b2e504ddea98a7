/** Largest distance (m) of a joint in another program from where anyrig reads it, at times of keys. */
export const AT_KEYS = 0.0005;
/** The same between keys, where programs interpolate: some mix quaternions linearly. */
export const BETWEEN_KEYS = 0.002;
