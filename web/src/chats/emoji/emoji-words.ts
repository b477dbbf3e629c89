/** Texts of choosing an emoji. */
import { t } from '../../language/t.ts';

export const emojiWords = {
  choose: t`Emoji`,
  search: t`Search emoji`,
  loading: t`Loading...`,
  failed: t`The emoji could not be loaded. Paste one above.`,
} as const;
