/** Our year: five cards about what two people heard together, each to keep or to share as a picture. */
import type { UserCard } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useBusy } from '../store/use-busy.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { ShareIcon } from '../ui/icons/door-icons.tsx';
import { DownloadIcon } from '../ui/icons/music-icons.tsx';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import { canShareFiles, type Card, cardFile, CardPicture } from '../ui/records/card-picture.tsx';
import { saveFile } from '../ui/save-file.ts';
import type { ScreenProps } from '../store/address.ts';
import { BackToMusic, NotYours, PageOfTwo } from './PageOfTwo.tsx';
import sheetYear from './Year.css?inline';
import { useYearCards } from './use-year-cards.ts';
import { ownSheet } from '../ui/own-sheet.ts';
import { t } from '../language/t.ts';

const styles = ownSheet('music-year', sheetYear);

export const YearScreen = ({ params: { uid = '' } }: ScreenProps) => (
  <PageOfTwo uid={uid}>{(other) => <Year other={other} />}</PageOfTwo>
);

function Year({ other }: { other: UserCard }) {
  const { year, cards, isRefused } = useYearCards(other);
  const [chosen, setChosen] = useState(0);
  const { isBusy, run } = useBusy();
  const isWide = useWideScreen();
  if (isRefused) return <NotYours />;
  if (cards === null) return <LoadingScreen />;
  const card = cards[chosen] ?? cards[0];
  if (card === undefined) return <EmptyState message={t`Nothing was heard together in this year yet.`} />;
  const keep = async (): Promise<void> => {
    const file = await cardFile(card);
    if (file) saveFile(file.name, file);
  };
  const share = async (): Promise<void> => {
    const file = await cardFile(card);
    // The user may close the sheet of the device.
    if (file) await navigator.share({ files: [file], text: card.alt }).catch(() => undefined);
  };
  const keys = (
    <div className={styles.keys}>
      <Button variant="primary" busy={isBusy} icon={<DownloadIcon />} onClick={() => run(keep)}>
        {t`Keep as a picture`}
      </Button>
      {canShareFiles() && (
        <Button busy={isBusy} icon={<ShareIcon />} onClick={() => run(share)}>
          {t`Share`}
        </Button>
      )}
    </div>
  );
  return (
    <div className={styles.year}>
      <BackToMusic uid={other.uid} />
      <div className={styles.head}>
        <h1>{t`Our year ${String(year)}`}</h1>
        {isWide && keys}
      </div>
      {isWide ? (
        <>
          <CardPicture card={card} />
          <ul className={styles.others} aria-label={cardsLabel}>
            {cards
              .filter((one) => one !== card)
              .map((one, place) => (
                // The place keeps the focus when its card is the large one.
                <li key={place}>
                  <button type="button" onClick={() => setChosen(cards.indexOf(one))}>
                    <CardPicture card={one} />
                  </button>
                </li>
              ))}
          </ul>
        </>
      ) : (
        <Swiped {...{ cards, chosen }} onChoose={setChosen} />
      )}
      {!isWide && keys}
    </div>
  );
}

const cardsLabel = t`Cards`;

interface SwipedProps {
  cards: readonly Card[];
  chosen: number;
  onChoose: (index: number) => void;
}

/** On phones: one card after the other. The one in the middle is kept or shared. */
function Swiped({ cards, chosen, onChoose }: SwipedProps) {
  const row = useRef<HTMLUListElement>(null);
  const show = (index: number, behavior: ScrollBehavior): void =>
    row.current?.children[index]?.scrollIntoView({ behavior, block: 'nearest', inline: 'center' });
  // A window that becomes narrow shows the card that was large.
  const showChosen = useEffectEvent(() => show(chosen, 'instant'));
  useEffect(() => {
    showChosen();
  }, []);
  return (
    <>
      <ul
        ref={row}
        className={styles.row}
        aria-label={cardsLabel}
        onScroll={({ currentTarget }) => onChoose(inTheMiddle(currentTarget))}
      >
        {cards.map((card, index) => (
          <li key={card.id}>
            <button type="button" aria-pressed={index === chosen} onClick={() => show(index, 'auto')}>
              <CardPicture card={card} />
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.marks} aria-hidden="true">
        {cards.map((card, index) => (
          <i key={card.id} className={index === chosen ? styles.now : undefined} />
        ))}
      </div>
    </>
  );
}

function inTheMiddle(row: Element): number {
  const middleOf = (element: Element): number => {
    const { left, right } = element.getBoundingClientRect();
    return (left + right) / 2;
  };
  const offsets = [...row.children].map((child) => Math.abs(middleOf(child) - middleOf(row)));
  return offsets.indexOf(Math.min(...offsets));
}
