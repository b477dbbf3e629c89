/** How high the card of a track is, so that its place is kept while its code and its words are loaded. */
export const headPx = 100;
const keysPx = 44;
const gapPx = 10;

export const cardSpace = {
  display: 'grid',
  alignContent: 'start',
  gap: gapPx,
  width: 326,
  maxWidth: '100%',
  minHeight: headPx + gapPx + keysPx,
} as const;
