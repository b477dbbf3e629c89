/** The cards of what two people heard together in the year that it is now. */
import type { OurYear, UserCard } from '@tunemate/protocol';
import { useEffect, useMemo, useState } from 'react';
import { useApp, useUser } from '../app-context.ts';
import { asking } from '../store/asking.ts';
import type { Card } from '../ui/records/card-picture.tsx';
import { yearOf } from './days.ts';
import { cardsOf } from './year-cards.ts';

interface YearCards {
  year: number;
  /** Null until they are known. */
  cards: Card[] | null;
  /** It is not the user's to read. */
  isRefused: boolean;
}

export function useYearCards(other: UserCard): YearCards {
  const self = useUser();
  const { connection, serverNowMs } = useApp();
  const { uid } = other;
  const [year] = useState(() => new Date(serverNowMs()).getFullYear());
  const [heard, setHeard] = useState<OurYear | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  useEffect(() => {
    const span = yearOf(year);
    return asking(
      (signal) => connection.requestUntilAnswered('music/year', { uid, year: span }, { signal }),
      (answer) => (answer.ok ? setHeard(answer.value) : setIsRefused(true)),
    );
  }, [connection, uid, year]);
  const cards = useMemo(() => heard && cardsOf({ heard, year, self, other }), [heard, year, self, other]);
  return { year, cards, isRefused };
}
