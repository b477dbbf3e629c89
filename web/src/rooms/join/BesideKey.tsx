/** While a new user tries a room alone: a QR code under which a phone without an account plays along for a minute. */
import { useEffect, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { chosenOrigin, linkOrigin } from '../../store/link-address.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { LoadingScreen } from '../../ui/feedback/LoadingScreen.tsx';
import { sentenceOf } from '../../words/errors.ts';
import type { RoomAddress } from '../room-kinds.ts';
import { LinkAddress } from './LinkAddress.tsx';
import { QrCode } from './QrCode.tsx';
import styles from './Invite.module.css';
import { t } from '../../language/t.ts';

export function BesideKey(address: RoomAddress) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button small variant="ghost" onClick={() => setIsOpen(true)}>
        {t`Hold your phone beside it`}
      </Button>
      {isOpen && <BesideSheet {...address} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** A key lasts two minutes; the code on an open sheet is never older than half of that. */
const renewEveryMs = 60_000;

function BesideSheet({ onClose, ...room }: RoomAddress & { onClose: () => void }) {
  const found = useBesideKey(room);
  const address = 'key' in found ? `${linkOrigin()}/beside/${found.key}` : '';
  const hasChoice = useReadable(chosenOrigin) !== null;
  return (
    <Sheet title={t`Hold your phone beside it`} onClose={onClose}>
      {'key' in found ? (
        <>
          <p className={styles.link} dir="ltr">
            {address.replace(/^https?:\/\//, '')}
          </p>
          <div className={styles.pass}>
            <span className={styles.paper}>
              <QrCode address={address} label={t`QR code of the page that plays along`} />
            </span>
            <div className={styles.words}>
              <p>{t`Scan this with a phone: it plays the same second for a minute, without an account.`}</p>
            </div>
          </div>
          {hasChoice && <LinkAddress canChoose />}
        </>
      ) : (
        <p aria-live="polite">{found.failure}</p>
      )}
      {found.isLoading && <LoadingScreen fill={false} />}
    </Sheet>
  );
}

type Found = { isLoading: boolean } & ({ key: string } | { failure: string });

function useBesideKey({ kind, code }: RoomAddress): Found {
  const { callRoute } = useApp();
  const [found, setFound] = useState<Found>({ isLoading: true, failure: '' });
  useEffect(() => {
    const closed = new AbortController();
    const ask = (): void =>
      void callRoute('POST /api/beside', { kind, code }).then((answer) => {
        if (closed.signal.aborted) return;
        if (answer.ok) setFound({ isLoading: false, key: answer.value.key });
        else setFound({ isLoading: false, failure: whyNot(answer.error) });
      });
    ask();
    const timer = setInterval(ask, renewEveryMs);
    return () => {
      closed.abort();
      clearInterval(timer);
    };
  }, [callRoute, kind, code]);
  return found;
}

const whyNot = (error: Parameters<typeof sentenceOf>[0]): string =>
  error.code === 'access/not-found'
    ? t`This works with the tracks that come with Tunemate. Play one of them, and open this again.`
    : sentenceOf(error);
