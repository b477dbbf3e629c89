/** Texts of the search in messages. */
import { t } from '../../language/t.ts';

export const searchWords = {
  title: t`Search messages`,
  titleIn: (name: string) => t`Search the chat with ${name}`,
  field: t`Words in messages`,
  results: t`Messages found`,
  hint: t`Type words, or how they begin.`,
  searching: t`Searching…`,
  none: t`No message has these words.`,
  found: (count: number) => (count === 1 ? t`1 message` : t`${String(count)} messages`),
  foundFirst: (count: number) => t`The newest ${String(count)} messages`,
  day: t`Day`,
  goToDay: t`Go to day`,
  nothingSince: t`There are no messages from this day on.`,
  more: t`More messages`,
  notWhole: t`Older messages are still being prepared for the search. Try again in a few minutes.`,
  you: t`You`,
} as const;
