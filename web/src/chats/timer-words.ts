/** Texts about the timer of a chat. */
import type { ChatTimer, Uid } from '@tunemate/protocol';
import { t } from '../language/t.ts';

type Days = ChatTimer['days'];

const daysWords: Record<NonNullable<Days>, string> = { 1: t`1 day`, 7: t`7 days`, 30: t`30 days` };

export const timerWords = {
  days: (days: Days) => (days === null ? t`They stay` : daysWords[days]),
  means: t`Either of you may change this, and both can read who did. What is past its time is deleted for both: text, pictures and voice, from the search and from exports. It starts with new messages.`,
  /** The line in the chat. */
  line: ({ days, by }: ChatTimer, { self, other }: { self: Uid; other: string }) => {
    if (days === null) return by === self ? t`You set messages to stay` : t`${other} set messages to stay`;
    const after = daysWords[days];
    return by === self ? t`You set messages to go after ${after}` : t`${other} set messages to go after ${after}`;
  },
} as const;
