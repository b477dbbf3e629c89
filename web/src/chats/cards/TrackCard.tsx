/**
 * A track that a message names: its cover, title, artist and length, a key that plays it on this device alone, and one
 * that opens a room for two. Loaded when a chat shows the first one.
 */
import { parseVideoReferences } from '@tunemate/domain';
import {
  isLibraryId,
  type NamedTrack,
  type TrackCard as Card,
  trackOfPath,
  type UserCard,
  type VideoId,
} from '@tunemate/protocol';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useApp, useUser } from '../../app-context.ts';
import { t } from '../../language/t.ts';
import { useListenTogether } from '../../people/listen-together.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { HeadphonesIcon } from '../../ui/icons/icons.tsx';
import { PauseIcon, PlayIcon } from '../../ui/icons/marks.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { tileCode } from '../../ui/records/tile-code.ts';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import cardStyles from '../../ui/lists/MediaCards.module.css';
import styles from './TrackCard.module.css';
import { cardSpace, headPx } from './card-space.ts';
import { type PlayingHere, usePlayingHere } from './play-here.ts';
import { type Sample, sampleSeconds, useSample } from './sample.ts';
import { trackCardsOf } from './track-cards.ts';

export interface TrackCardProps {
  /** Of the message. */
  href: string;
  /** Whom 'Listen together' invites; null where no person can be invited. */
  listener: UserCard | null;
  /** On the colour of the user's own messages. */
  mine?: boolean | undefined;
}

/** Nothing for a link that only looks as if it named a track. */
export function LinkCard({ href, ...rest }: TrackCardProps) {
  const videoId = trackOfLink(href, location.origin);
  return videoId === null ? null : <TrackCard videoId={videoId} {...rest} />;
}

/** Read as rooms read it; null for a link that only looks as if it named a track. */
export function trackOfLink(href: string, origin: string): VideoId | null {
  const address = new URL(href);
  if (address.origin === origin) return trackOfPath(address.pathname);
  return parseVideoReferences(href)?.[0]?.video ?? null;
}

type KnownProps = Omit<TrackCardProps, 'href'> & { videoId: VideoId };

/** A card of nothing known: what is asked for, or could not be looked up. */
const blank = {
  ...({ state: 'unknown', isFilm: false, title: '', artist: null, album: null } as const),
  ...{ durationSeconds: null, thumbnail: null },
};

export function TrackCard({ videoId, listener, mine = false }: KnownProps) {
  const { connection } = useApp();
  const cards = trackCardsOf(connection);
  const card = useReadable(cards.of(videoId)) ?? blank;
  useEffect(() => cards.need(videoId), [cards, videoId]);
  const titleId = useId();
  const facts = [card.durationSeconds === null ? '' : clock(card.durationSeconds), card.album ?? ''];
  const isGone = card.state === 'gone';
  return (
    // The direction of the page: that of the message is decided by its words.
    <span dir={document.dir || 'ltr'} style={cardSpace}>
      <span style={{ display: 'flex', gap: 22, alignItems: 'center', minHeight: headPx }}>
        <Sleeve
          size="84px"
          code={tileCode(videoId)}
          pictureUrl={card.thumbnail ?? undefined}
          record={<Vinyl />}
          peek={0.16}
        />
        <span style={{ minWidth: 0 }}>
          <b id={titleId} dir="auto" className={classNames('name', cardStyles.title)}>
            {card.title || (isLibraryId(videoId) ? t`A track of the library` : words.video)}
          </b>
          {card.artist !== null && (
            <span dir="auto" style={{ display: 'block' }}>
              {card.artist}
            </span>
          )}
          <small>{isGone ? goneWords(videoId) : facts.filter(Boolean).join(t` · `)}</small>
        </span>
      </span>
      <Keys {...{ videoId, card, isGone, titleId, listener, mine }} />
    </span>
  );
}

const goneWords = (videoId: VideoId): string =>
  isLibraryId(videoId) ? t`Not in the library now` : t`Not on YouTube now`;

interface KeysProps extends KnownProps {
  card: Omit<Card, 'videoId'>;
  isGone: boolean;
  titleId: string;
}

function Keys({ videoId, card, isGone, titleId, listener, mine }: KeysProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const { isBusy, run } = useBusy();
  const listen = useListenTogether();
  const self = useUser();
  const isVideo = !isLibraryId(videoId);
  const sample = useSample(card.durationSeconds);
  const here = usePlayingHere(() => {
    sample.pause();
    if (isVideo) setIsOpen(false);
  });

  function press(): void {
    setHasFailed(false);
    if (isVideo) {
      setIsOpen(!isOpen);
      sample.reset();
      if (isOpen) here.end();
      else here.begin();
    } else if (!isOpen) setIsOpen(true);
    else if (here.isPlaying) sample.pause();
    else sample.play();
  }
  function fail(): void {
    setIsOpen(false);
    setHasFailed(true);
    here.end();
  }
  const label = here.isPlaying ? (isVideo ? t`Stop` : t`Pause`) : t`Play here`;
  const note = hasFailed
    ? t`This did not play here. Try again.`
    : here.hushesRoom
      ? t`Your room is silent while this plays.`
      : '';
  const described = { disabled: isGone, 'aria-describedby': titleId };
  const look = { small: true, variant: mine ? 'inkLine' : 'quiet' } as const;
  const rest = { isFilm: card.isFilm, title: card.title || words.video, onFail: fail };
  return (
    <>
      {isOpen && <Media {...{ videoId, here, sample, ...rest }} />}
      <span style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
        <Button
          {...look}
          icon={here.isPlaying ? <PauseIcon size={18} /> : <PlayIcon size={18} />}
          onClick={press}
          {...described}
        >
          {label}
        </Button>
        {listener !== null && (
          <Button
            small
            variant={mine ? 'ink' : 'primary'}
            icon={<HeadphonesIcon size={18} />}
            busy={isBusy}
            style={{ flex: 1 }}
            onClick={() => run(() => listen({ self, other: listener, band: 'celadon', ...roomOf(videoId, card) }))}
            {...described}
          >
            {t`Listen together`}
          </Button>
        )}
      </span>
      {isOpen && !sample.isWhole && (
        <span style={{ display: 'flex', gap: 8, alignItems: 'center', justifyContent: 'space-between' }}>
          <output>{sample.isOver ? t`That was 30 seconds of it` : t`The first 30 seconds`}</output>
          <Button {...look} onClick={sample.playAll} {...described}>
            {t`Play all`}
          </Button>
        </span>
      )}
      {/* Without words it takes no place. */}
      <output style={note === '' ? { display: 'contents' } : undefined}>{note}</output>
    </>
  );
}

interface MediaProps {
  videoId: VideoId;
  isFilm: boolean;
  title: string;
  here: PlayingHere;
  sample: Sample;
  onFail: () => void;
}

/** The player itself: unseen for a track, a picture for a film, and YouTube's own frame with its own keys. */
function Media({ videoId, isFilm, title, here, sample, onFail }: MediaProps) {
  const place = useRef<HTMLSpanElement>(null);
  const began = useEffectEvent(() => {
    sample.began();
    here.begin();
  });
  const hold = useEffectEvent(sample.hold);
  const moved = useEffectEvent(sample.moved);
  const paused = useEffectEvent(here.end);
  const ended = useEffectEvent(sample.reset);
  const failed = useEffectEvent(onFail);
  const frameTitle = useEffectEvent(() => title);
  const isVideo = !isLibraryId(videoId);
  const videoSeconds = isVideo && !sample.isWhole ? sampleSeconds : null;
  useEffect(() => {
    if (isVideo) {
      place.current?.replaceChildren(youtubeFrame(videoId, frameTitle(), videoSeconds));
      return undefined;
    }
    const element = document.createElement(isFilm ? 'video' : 'audio');
    Object.assign(element, { className: styles.screen, controls: isFilm, playsInline: true, autoplay: true });
    const over = new AbortController();
    const on = (event: string, act: () => void) =>
      element.addEventListener(event, () => act(), { signal: over.signal });
    on('play', began);
    on('timeupdate', moved);
    on('pause', paused);
    on('ended', paused);
    on('ended', ended);
    on('error', () => {
      // It may still report that it plays, until the card is drawn without it.
      over.abort();
      failed();
    });
    element.src = `/media/${videoId}`;
    place.current?.replaceChildren(element);
    hold(element);
    return () => {
      over.abort();
      element.pause();
      hold(null);
    };
  }, [videoId, isFilm, isVideo, videoSeconds]);
  return <span ref={place} style={{ display: 'contents' }} />;
}

/** `seconds` is where it stops by itself. */
function youtubeFrame(videoId: VideoId, title: string, seconds: number | null): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  const allow = 'autoplay; encrypted-media; picture-in-picture';
  const end = seconds === null ? '' : `&end=${String(seconds)}`;
  const src = `https://www.youtube.com/embed/${videoId}?autoplay=1&playsinline=1&rel=0${end}`;
  return Object.assign(frame, { className: styles.screen, allow, src, title });
}

/** What plays first in the room, and of which kind it is: films and videos have a picture. */
function roomOf(videoId: VideoId, { title, artist, durationSeconds, isFilm }: KeysProps['card']) {
  const name = title || videoId;
  const track: NamedTrack = { videoId, title: artist === null ? name : `${name} – ${artist}`, durationSeconds };
  return { track, kind: isFilm || !isLibraryId(videoId) ? ('video' as const) : ('audio' as const) };
}

/** `06:15`. */
const clock = (seconds: number): string =>
  [Math.floor(seconds / 60), Math.floor(seconds) % 60].map((part) => String(part).padStart(2, '0')).join(':');

const words = {
  video: t`A video on YouTube`,
} as const;
