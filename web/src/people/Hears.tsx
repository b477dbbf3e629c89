/** What a person hears: the line, the picture of the track, and the key that leads to the door of their room. */
import type { Hearing, RoomKind, UserCard } from '@tunemate/protocol';
import type { ReactNode } from 'react';
import { useApp, useUser } from '../app-context.ts';
import { navigate, usePath } from '../store/address.ts';
import { useBusy } from '../store/use-busy.ts';
import { useNow } from '../store/use-now.ts';
import { Button, Spinner } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { HeadphonesIcon } from '../ui/icons/icons.tsx';
import type { BandInk } from '../ui/inks.ts';
import { usePicture } from '../ui/use-picture.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { hearsWords } from './hearing-words.ts';
import styles from './Hears.module.css';
import { t } from '../language/t.ts';

const joinPaths: Record<RoomKind, string> = { video: '/join', audio: '/join-audio-room' };

interface HearsLineProps {
  hears: Hearing;
  /** The title of what they hear now in bold, as on the card of the soulmate. */
  isBold?: boolean;
  /** Where a day has passed since. */
  instead?: ReactNode;
}

/** 'Hears Walking Home, Lena Vogt' behind bars, or 'Heard last: …' for a day. */
export function HearsLine({ hears, isBold = false, instead }: HearsLineProps) {
  const words = hearsWords(hears, useNow(useApp().serverNowMs));
  if (words === null) return instead;
  return (
    <span className={styles.line}>
      {hears.untilMs === null && (
        <svg width="12" height="11" fill="currentColor" aria-hidden="true">
          <path d="M0 1h3v10H0zM4.5 5h3v6h-3zM9 0h3v11H9z" />
        </svg>
      )}
      {isBold && hears.untilMs === null && hears.title !== null ? (
        <BoldTitle title={hears.title} hears={hears} />
      ) : (
        <span dir="auto">{words}</span>
      )}
    </span>
  );
}

/** No title has it. */
const mark = '\0';

/** Where the title stands in the sentence, its language says. */
function BoldTitle({ title, hears }: { title: string; hears: Hearing }) {
  const [before, after] = hearsWords({ ...hears, title: mark }, 0)?.split(mark) ?? [];
  return (
    <span dir="auto">
      <span>{before}</span>
      <strong dir="auto">{title}</strong>
      <span>{after}</span>
    </span>
  );
}

/** Decorative: what it shows also stands in words. Nothing where the track has no picture on this server. */
export function HearsPicture({ hears, size }: { hears: Hearing; size: number }) {
  const picture = usePicture(hears.untilMs === null ? (hears.thumbnail ?? undefined) : undefined);
  if (!picture.url) return null;
  return (
    <img className={styles.picture} src={picture.url} width={size} height={size} alt="" onError={picture.onError} />
  );
}

interface ListenAlongProps {
  other: UserCard;
  /** Of the screen on which it is pressed. */
  band: BandInk;
  variant?: 'primary' | 'quiet' | 'ink';
  block?: boolean;
  small?: boolean;
  /** Headphones alone, in a row that says who hears what. */
  isIcon?: boolean;
}

/** Asks at the door of the room at once, as a tapped invitation does; it comes in where the room admits the user. */
export function ListenAlong({ other, band, isIcon, ...look }: ListenAlongProps) {
  const { connection, taps } = useApp();
  const self = useUser();
  const { isBusy, run } = useBusy();
  const answerOf = useAnswerOf({
    failed: t`It is over`,
    instead: { 'access/not-found': t`Nothing plays there any more, or it is not shown to you.` },
    band,
  });
  const address = usePath();
  async function go(): Promise<void> {
    const door = await answerOf(connection.request('presence/listenAlong', { uid: other.uid }));
    // A user who is on another screen by now stays there.
    if (door === null || location.pathname !== address) return;
    const link = `${joinPaths[door.kind]}?code=${door.code}`;
    taps.begin(link, self.uid);
    navigate(link);
  }
  const label = t`Listen along with ${other.name}`;
  if (isIcon) {
    return (
      <IconButton
        framed
        label={label}
        icon={isBusy ? <Spinner /> : <HeadphonesIcon />}
        aria-busy={isBusy || undefined}
        onClick={() => run(go)}
      />
    );
  }
  return (
    <Button {...look} busy={isBusy} icon={<HeadphonesIcon size={20} />} aria-label={label} onClick={() => run(go)}>
      {t`Listen along`}
    </Button>
  );
}

interface HearsBoxProps {
  hears: Hearing;
  other: UserCard;
  band: BandInk;
  /** Beside the words, as in the strip of a chat; else below them. */
  beside?: boolean;
}

/** Title and artist with the key, as in the sheet about a person; while nothing plays the line alone. */
export function HearsBox({ hears, other, band, beside }: HearsBoxProps) {
  if (hears.untilMs !== null) return beside ? null : <HearsLine hears={hears} />;
  return (
    <div className={styles.box}>
      <HearsPicture hears={hears} size={beside ? 44 : 56} />
      <span className={styles.words}>
        <strong dir="auto">{hearsWords({ ...hears, artist: null }, 0)}</strong>
        {hears.artist !== null && <span dir="auto">{hears.artist}</span>}
      </span>
      <ListenAlong
        other={other}
        band={band}
        variant={beside ? 'quiet' : 'primary'}
        block={!beside}
        small={beside === true}
      />
    </div>
  );
}
