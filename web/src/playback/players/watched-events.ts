/** After these events of a media element its player may be in another phase, or know more of its track. */
export const watchedEvents = [
  'loadstart',
  'loadedmetadata',
  'durationchange',
  'canplay',
  'canplaythrough',
  'playing',
  'pause',
  'waiting',
  'stalled',
  'suspend',
  'seeking',
  'seeked',
  'ratechange',
  'emptied',
] as const;
