/** Texts of choosing an emoji. */
import { t } from '../../language/t.ts';

export const emojiWords = {
  choose: t`Emoji`,
  search: t`Search emoji`,
  loading: t`Loading...`,
  failed: t`The emoji could not be loaded. Paste one above.`,
  nothing: t`No results found`,
  kinds: t`Kinds of emoji`,
  tone: t`Skin tone`,
} as const;

/** By the numbers of the list, each with the emoji that stands for it. */
export const emojiKinds: readonly (readonly [kind: number, emoji: string, words: string])[] = [
  [0, '😀', t`Faces`],
  [1, '👋', t`People`],
  [3, '🐻', t`Animals and nature`],
  [4, '🍕', t`Food and drink`],
  [5, '✈️', t`Travel and places`],
  [6, '🎉', t`Activities`],
  [7, '🎧', t`Objects`],
  [8, '💯', t`Symbols`],
  [9, '🏁', t`Flags`],
];

/** By tone. */
export const toneWords = [t`No tone`, t`Light`, t`Medium light`, t`Medium`, t`Medium dark`, t`Dark`] as const;
