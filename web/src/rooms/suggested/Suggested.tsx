/**
 * 'Suggested': what may play next, each with the reason. A row plays, its plus adds to the queue; guests propose. Asks
 * only once the list is in view, and again when what decides it changes: the track, the queue, or who wants what.
 */
import type { CatalogueItem, SuggestedBecause } from '@tunemate/protocol';
import { limits } from '@tunemate/protocol';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { TrackKeys, type TrackUse } from '../../catalogue/ProposeButton.tsx';
import { t } from '../../language/t.ts';
import type { PlaybackModel } from '../../playback/playback-model.ts';
import { asking } from '../../store/asking.ts';
import { cell } from '../../store/cell.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { List } from '../../ui/lists/List.tsx';
import { Thumb } from '../../ui/lists/MediaRow.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { titleLines } from '../../ui/title-lines.ts';
import type { RoomView } from '../visit/visit.ts';
import styles from './Suggested.module.css';

interface SuggestedProps extends Pick<RoomView, 'parts' | 'state'> {
  use: TrackUse;
}

const shownAtOnce = 6;
/** As high as its rows will be: what stands below does not move away from a finger. */
const unanswered = { minHeight: `${String(shownAtOnce * 56)}px` } as const;

export function Suggested({ parts, state, use }: SuggestedProps) {
  const place = useRef<HTMLDivElement>(null);
  const answered = useSuggestions({ parts, state }, place);
  const { from, items: all } = answered ?? { items: [], from: 0 };
  // The host answers a proposal where it stands: added from here it would stay open.
  const items = use.onPropose ? all : all.filter(({ videoId }) => use.standingOf?.(videoId) !== 'proposed');
  const next = from + shownAtOnce < items.length ? from + shownAtOnce : 0;
  const shown = items.slice(from, from + shownAtOnce);
  const others = answered !== null && items.length > shownAtOnce && (
    <Button
      variant="ghost"
      small
      aria-label={t`Other suggestions`}
      onClick={() => lastAnswered.set({ ...answered, from: next })}
    >
      {t`Others`}
    </Button>
  );
  return (
    <div className={styles.whole}>
      <Section title={t`Suggested`} action={others} panel>
        <div ref={place} className={styles.place} style={answered === null ? unanswered : undefined}>
          {answered !== null && items.length === 0 && <p className={styles.none}>{t`No suggestions`}</p>}
          {shown.length > 0 && (
            <List label={t`Suggested`}>
              {shown.map((item) => (
                <li key={item.videoId} className={styles.item}>
                  <Row item={item} onPress={use.onChoose && (() => use.onChoose?.(item))} />
                  <TrackKeys item={item} {...use} />
                </li>
              ))}
            </List>
          )}
        </div>
      </Section>
    </div>
  );
}

function Row({ item, onPress }: { item: CatalogueItem; onPress: (() => void) | undefined }) {
  const { videoId, title, thumbnail, because } = item;
  const { name, artist } = titleLines(videoId, title);
  const reason = because === undefined ? null : reasonOf(because);
  const content = (
    <>
      <Thumb id={videoId} url={thumbnail ?? undefined} className={styles.cover} />
      <span className={styles.words}>
        <span className={styles.title}>
          {onPress && <VisuallyHidden>{`${t`Play`} `}</VisuallyHidden>}
          <strong dir="auto">{name}</strong>
          {artist !== null && (
            <>
              <VisuallyHidden>{`, `}</VisuallyHidden>
              <span className="meta" dir="auto">
                {artist}
              </span>
            </>
          )}
        </span>
        {reason !== null && (
          <>
            <VisuallyHidden>{`: `}</VisuallyHidden>
            <span className={classNames('meta', styles.reason)} dir="auto">
              {reason}
            </span>
          </>
        )}
      </span>
    </>
  );
  if (!onPress) return <div className={styles.row}>{content}</div>;
  return (
    <button type="button" className={classNames(styles.row, styles.pressable)} onClick={onPress}>
      {content}
    </button>
  );
}

/** At most five words and what they name. */
function reasonOf(because: SuggestedBecause): string {
  if (because.because === 'voted') return t`${because.name} voted for it`;
  if (because.because === 'after') return t`often after ${because.title} here`;
  if (because.because !== 'artist') return plainReasons[because.because];
  return because.year === null ? t`same artist` : t`same artist, ${because.year}`;
}

const plainReasons = {
  together: t`you have heard it together`,
  rested: t`not heard for a month`,
  surprise: t`new to all of you`,
  favourite: t`from your favourites`,
  similar: t`similar to this one`,
  genre: t`same genre`,
  years: t`same years`,
  tempo: t`same tempo`,
  calm: t`calm, like this one`,
  library: t`from all of the library`,
} as const;

type Place = Readonly<RefObject<HTMLElement | null>>;

/** Whether the element has been in view, or near it. */
function useSeen(place: Place): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: '120px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return isSeen;
}

interface Answered {
  /** The room whose suggestions these are. */
  playback: PlaybackModel;
  /** What decided them. */
  of: string;
  items: readonly CatalogueItem[];
  /** The first that is shown. */
  from: number;
}

/** The list is made anew where a change of the window moves it to another place, and goes on as it was. */
const lastAnswered = cell<Answered | null>(null);

/** Null before the first answer. A failure keeps the old ones. */
function useSuggestions(
  { parts: { playback }, state: { room } }: Pick<SuggestedProps, 'parts' | 'state'>,
  place: Place,
): Answered | null {
  const { kind, code } = room;
  const { connection } = useApp();
  const { track, queue, currentIndex, afterTrack } = useReadable(playback.view).playing;
  const last = useReadable(lastAnswered);
  const answered = last?.playback === playback ? last : null;
  const isSeen = useSeen(place) || answered !== null;
  const videoId = track?.videoId ?? null;
  // Of many people each vote would have every page ask.
  const isSmall = room.people <= limits.namedPeople;
  const wanted = isSmall ? room.proposals.map(({ id, votes }) => `${id} ${String(votes)}`).join(' ') : '';
  const people = isSmall ? room.people : 0;
  const waiting = queue
    .slice(currentIndex + 1)
    .map((each) => each.videoId)
    .join(' ');
  const decidedBy = [videoId, afterTrack, waiting, wanted, people].join('\n');
  const isWanted = isSeen && answered?.of !== decidedBy;
  const ask = useCallback(
    (signal: AbortSignal) => connection.requestUntilAnswered('catalogue/suggest', { kind, code, videoId }, { signal }),
    [connection, kind, code, videoId],
  );
  useEffect(() => {
    if (!isWanted) return undefined;
    return asking(ask, (answer) => {
      const before = lastAnswered.get();
      const kept = before?.playback === playback ? before : { items: [], from: 0 };
      const shown = answer.ok ? { items: answer.value.items, from: 0 } : kept;
      lastAnswered.set({ ...shown, playback, of: decidedBy });
    });
  }, [ask, isWanted, playback, decidedBy]);
  return answered;
}
