/** Our year: five cards about what two people heard together, each to keep or to share as a picture. */
import type { OurYear, UserCard } from '@tunemate/protocol';
import { useEffect, useMemo, useState } from 'react';
import { useApp, useUser } from '../app-context.ts';
import { asking } from '../store/asking.ts';
import { useBusy } from '../store/use-busy.ts';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { ShareIcon } from '../ui/icons/door-icons.tsx';
import { BackIcon } from '../ui/icons/icons.tsx';
import { PictureIcon } from '../ui/icons/page-icons.tsx';
import { canShareFiles, cardFile, CardPicture } from '../ui/records/card-picture.tsx';
import { saveFile } from '../ui/save-file.ts';
import { yearOf } from './days.ts';
import { musicWords as words } from './music-words.ts';
import type { ScreenProps } from '../store/address.ts';
import { NotYours, PageOfTwo } from './PageOfTwo.tsx';
import sheetYear from './Year.css?inline';
import { cardsOf } from './year-cards.ts';
import { ownSheet } from '../ui/own-sheet.ts';
import { t } from '../language/t.ts';

const styles = ownSheet('music-year', sheetYear);

export const YearScreen = ({ params: { uid = '' } }: ScreenProps) => (
  <PageOfTwo uid={uid}>{(other) => <Year other={other} />}</PageOfTwo>
);

function Year({ other }: { other: UserCard }) {
  const self = useUser();
  const { connection, serverNowMs } = useApp();
  const { uid } = other;
  const [year] = useState(() => new Date(serverNowMs()).getFullYear());
  const [heard, setHeard] = useState<OurYear | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  const [chosen, setChosen] = useState(0);
  const { isBusy, run } = useBusy();
  useEffect(() => {
    const span = yearOf(year);
    return asking(
      (signal) => connection.requestUntilAnswered('music/year', { uid, year: span }, { signal }),
      (answer) => (answer.ok ? setHeard(answer.value) : setIsRefused(true)),
    );
  }, [connection, uid, year]);
  const cards = useMemo(() => heard && cardsOf({ heard, year, self, other }), [heard, year, self, other]);
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
  return (
    <div className={styles.year}>
      <ButtonLink href={`/our-music/${other.uid}`} variant="ghost" small icon={<BackIcon size={18} />}>
        {words.backToMusic}
      </ButtonLink>
      <div className={styles.head}>
        <h1>{t`Our year ${String(year)}`}</h1>
        <div className={styles.keys}>
          <Button variant="primary" busy={isBusy} icon={<PictureIcon />} onClick={() => run(keep)}>
            {t`Keep as a picture`}
          </Button>
          {canShareFiles() && (
            <Button busy={isBusy} icon={<ShareIcon />} onClick={() => run(share)}>
              {t`Share`}
            </Button>
          )}
        </div>
      </div>
      <CardPicture card={card} className={styles.large} />
      <ul className={styles.others} aria-label={t`Cards`}>
        {cards.map((one, index) => (
          <li key={one.id}>
            <button type="button" aria-pressed={one === card} onClick={() => setChosen(index)}>
              <CardPicture card={one} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
