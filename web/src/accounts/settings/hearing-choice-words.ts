/** Texts of the choice who sees what the user hears. */
import { t } from '../../language/t.ts';

const peopleWords = (count: number): string => (count === 1 ? t`1 person` : t`${count} people`);

export const hearingChoiceWords = {
  title: t`Who sees what I hear`,
  nobody: t`Nobody`,
  byDefault: t`As long as you choose nothing`,
  soulmate: t`My soulmate`,
  noSoulmate: t`You have none yet`,
  tunemates: t`My soulmate and tunemates`,
  people: (soulmate: string | null, others: number) => {
    if (soulmate === null) return peopleWords(others);
    return others === 0 ? soulmate : t`${soulmate} and ${peopleWords(others)}`;
  },
  means: t`They read ‘Hears Walking Home, Lena Vogt’ and may ask to listen along. Never who else is in the room.`,
} as const;
