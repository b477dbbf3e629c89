/** What the stamps are called, and the sentences of the room's chat about them and about deleted messages. */
import type { Refusal, StampName } from '@tunemate/protocol';
import { sentenceOf, tryAgainIn } from '../../copy/errors.ts';

export const stampWords: Record<StampName, string> = {
  love: 'Love',
  ha: 'Ha',
  fire: 'Fire',
  tune: 'Tune',
  wow: 'Wow',
  tears: 'Tears',
};

export const messageDeleted = 'Message deleted by the host';

/** Why a stamp was not taken. */
export function notStampedBecause(refusal: Refusal): string {
  if (refusal.code !== 'limit/too-many') return sentenceOf(refusal, { 'access/not-found': 'This message is gone.' });
  const soon = refusal.retryAfterMs === undefined ? '' : ` ${tryAgainIn(refusal.retryAfterMs)}`;
  return `Too many stamps at once.${soon}`;
}
