/** The printing inks of the design; covers and films use nothing else. */

/** Flat inks by name, as in the web's design tokens. */
export const inks = {
  ink: '#1c110e',
  ground: '#190f0e',
  lift: '#3d2b25',
  vinyl: '#120a09',
  groove: '#2b1d19',
  paper: '#fbefe3',
  persimmon: '#ff6b3d',
  marigold: '#ffb938',
  blush: '#ff9fa8',
  celadon: '#a9d8bc',
  sky: '#9cc3ea',
  lilac: '#d8a7e0',
} as const;
