/** Emoji to react with, and the drawings that six of them have. */
import type { StampName } from '@tunemate/protocol';
import { t } from '../../language/t.ts';

/** Offered first, in this order. */
export const quickEmojis: readonly (readonly [emoji: string, stamp: StampName, words: string])[] = [
  ['❤️', 'love', t`Love`],
  ['😂', 'ha', t`Ha`],
  ['🔥', 'fire', t`Fire`],
  ['🎵', 'tune', t`Tune`],
  ['😮', 'wow', t`Wow`],
  ['😢', 'tears', t`Tears`],
];

export const stampOf = (emoji: string): StampName | null => quickEmojis.find(([each]) => each === emoji)?.[1] ?? null;

/** What a screen reader says; of other emoji it knows the names itself. */
export const wordsOf = (emoji: string): string => quickEmojis.find(([each]) => each === emoji)?.[2] ?? emoji;
