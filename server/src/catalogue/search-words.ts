/** Matches a typed query with a title: without case, accents or punctuation, word by word. */

/** `Déjà-vu!` becomes `deja vu`. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * How well a folded text answers the words: 0 when one is missing, more for whole words and for a match at the start.
 */
export function relevance(foldedText: string, words: readonly string[]): number {
  if (words.length === 0) return 0;
  const padded = ` ${foldedText} `;
  let sum = foldedText.startsWith(words.join(' ')) ? 2 : 0;
  for (const word of words) {
    if (!padded.includes(word)) return 0;
    if (padded.includes(` ${word} `)) sum += 3;
    else sum += padded.includes(` ${word}`) ? 2 : 1;
  }
  return sum;
}
