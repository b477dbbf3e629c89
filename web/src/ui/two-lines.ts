/** Of text that may take a second line, and is cut after that. */
export const twoLines = {
  display: '-webkit-box',
  overflow: 'hidden',
  WebkitLineClamp: 2,
  WebkitBoxOrient: 'vertical',
  whiteSpace: 'normal',
} as const;
