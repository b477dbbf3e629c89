/** To whom the user shows what they hear in rooms: as rows to choose from, in the settings and in the question on home. */
import type { HearingAudience } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { t } from '../../language/t.ts';
import { useReadable } from '../../store/use-readable.ts';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';

interface AudienceRowsProps {
  title: string;
  /** Below 'Nobody'. */
  nobodyMeans: string;
  value: HearingAudience;
  onChange: (to: HearingAudience) => void;
}

/** Each row names the people whom it stands for. */
export function AudienceRows({ title, nobodyMeans, value, onChange }: AudienceRowsProps) {
  const app = useApp();
  const bond = useReadable(app.soulmate.soulmate);
  const mates = useReadable(app.tunemates.tunemates) ?? [];
  const soulmate = bond.status === 'bound' ? bond.soulmate : null;
  const others = mates.filter(({ uid }) => uid !== soulmate?.uid).length;
  const rows = [
    { value: 'nobody', label: audienceWords.nobody, detail: nobodyMeans },
    { value: 'soulmate', label: audienceWords.soulmate, detail: soulmate?.name ?? t`You have none yet` },
    { value: 'tunemates', label: audienceWords.tunemates, detail: words.people(soulmate?.name ?? null, others) },
  ] as const;
  return <RadioRows title={title} rows={rows} value={value} onChange={onChange} />;
}

const peopleWords = (count: number): string => (count === 1 ? t`1 person` : t`${count} people`);

export const audienceWords: Record<HearingAudience, string> = {
  nobody: t`Nobody`,
  soulmate: t`My soulmate`,
  tunemates: t`My soulmate and tunemates`,
};

const words = {
  people: (soulmate: string | null, others: number) => {
    if (soulmate === null) return peopleWords(others);
    return others === 0 ? soulmate : t`${soulmate} and ${peopleWords(others)}`;
  },
} as const;
