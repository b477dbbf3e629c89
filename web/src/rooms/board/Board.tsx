/**
 * In the player's place of a room without any track: six of the library, of which the host plays one for all and a
 * guest proposes one. Where the library is empty a key leads to the search.
 */
import { roomRules } from '@tunemate/domain';
import type { AfterTrack, LibraryTrack, RoomCode, RoomKind, VideoId } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { addLabel } from '../../catalogue/adding-words.ts';
import { catalogueWords } from '../../catalogue/catalogue-words.ts';
import type { Standing, TrackUse } from '../../catalogue/ProposeButton.tsx';
import { t } from '../../language/t.ts';
import { firstName } from '../../people/person-words.ts';
import type { PlaybackModel } from '../../playback/playback-model.ts';
import { mayPress } from '../../playback/playback-view.ts';
import { playbackSentences } from '../../playback/playback-words.ts';
import { takeFirstTrack, triedState } from '../../store/first-track.ts';
import { useEvents, useReadable } from '../../store/use-readable.ts';
import { Button, Spinner } from '../../ui/buttons/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ProposalIcon, QueueGoesOnIcon } from '../../ui/icons/desk-icons.tsx';
import { CheckIcon, SearchIcon } from '../../ui/icons/icons.tsx';
import { PlayIcon } from '../../ui/icons/marks.tsx';
import { PlusIcon } from '../../ui/icons/page-icons.tsx';
import { Thumb } from '../../ui/lists/MediaRow.tsx';
import type { Elements } from '../../ui/OwnText.tsx';
import { factsOf } from '../room-kinds.ts';
import styles from './Board.module.css';

const shownTracks = 6;

interface BoardProps {
  kind: RoomKind;
  code: RoomCode;
  model: PlaybackModel;
  use: TrackUse;
  /** Of the host, as guests read it. */
  hostName: string;
  /** Shows the field where tracks are searched and focuses it. */
  onSearch: () => void;
  /** Of what emptied the queue. */
  undo: Elements;
}

export function Board({ kind, code, model, use, hostName, onSearch, undo }: BoardProps) {
  const { playing, control } = useReadable(model.view);
  const tracks = useFirstTracks(kind, code, mayPress({ control }) ? model : null, use);
  const [pressed, setPressed] = useState<VideoId | null>(null);
  useEvents(model.notices, () => setPressed(null));
  const press = (track: LibraryTrack): void => {
    setPressed(track.videoId);
    if (isGuest) void use.onPropose?.(track).finally(() => setPressed(null));
    else model.host.choose(track);
  };
  const isGuest = control === 'guest';
  const words = isGuest
    ? guestWords(firstName(hostName), use.everyoneAdds === true)
    : hostWords(tracks, playing.afterTrack);
  const { formatTime, panels } = factsOf(kind);
  return (
    <section
      className={classNames(styles.board, styles[panels.stage], isGuest && styles.guest)}
      aria-label={playbackSentences.player}
    >
      <header className={styles.head}>
        {/* What the player says of itself before the first track. */}
        <p className={styles.status}>
          <span>{playing.title}</span>
          {panels.stage === 'sleeve' && (
            <>
              <strong>{playbackSentences.paused}</strong> <span dir="ltr">{`${formatTime(0)} / ${formatTime(0)}`}</span>
            </>
          )}
        </p>
        <h2>{words.title}</h2>
        <p className={styles.lead}>{words.lead}</p>
      </header>
      {tracks?.length === 0 ? (
        <Button className={styles.search} variant="primary" icon={<SearchIcon />} onClick={onSearch}>
          {t`Find a track`}
        </Button>
      ) : (
        <ul className={styles.six}>
          {(tracks ?? placeholders).map((track, at) => (
            <li key={track?.videoId ?? at} className={styles.card}>
              {track ? (
                <Card
                  {...{ track, use, isGuest, formatTime }}
                  isBusy={pressed === track.videoId}
                  onPress={() => press(track)}
                />
              ) : (
                <span className={styles.pic}>
                  <span className={styles.blank} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.foot} data-notice-slot>
        <p className={styles.then}>
          {isGuest ? <ProposalIcon /> : <QueueGoesOnIcon />}
          <span>{words.foot}</span>
        </p>
        {undo}
      </div>
    </section>
  );
}

/** While the library is asked: the board keeps its place. */
const placeholders: readonly null[] = Array.from({ length: shownTracks }, () => null);

/**
 * Null until the library answers, again where the line was lost. One that can't be read counts as empty. What was asked for before the room was made
 * plays at once, in the tab that has the host's keys.
 */
function useFirstTracks(
  kind: RoomKind,
  code: RoomCode,
  model: PlaybackModel | null,
  { onEnqueueAll }: TrackUse,
): readonly LibraryTrack[] | null {
  const { connection } = useApp();
  const [tracks, setTracks] = useState<readonly LibraryTrack[] | null>(null);
  useEffect(() => {
    const unmounted = new AbortController();
    const { signal } = unmounted;
    const look = async (): Promise<void> => {
      const which = { kind, code, view: { type: 'toBegin' }, from: 0 } as const;
      let answer = await connection.request('library/tracks', which);
      if (!answer.ok && answer.error.code === 'server/unavailable') {
        answer = await connection.requestUntilAnswered('library/tracks', which, { signal });
      }
      if (!signal.aborted) setTracks(answer.ok ? answer.value.tracks.slice(0, shownTracks) : []);
    };
    void look();
    return () => unmounted.abort();
  }, [connection, kind, code]);
  const begin = useEffectEvent((host: PlaybackModel['host'], found: readonly LibraryTrack[]) => {
    const asked = takeFirstTrack();
    if (asked === null) return;
    if (asked !== triedState) return host.choose(asked);
    const [first, ...others] = found;
    if (first === undefined) return;
    host.choose(first);
    // A first evening does not end in silence after one track.
    if (others.length > 0) void onEnqueueAll?.(others);
    if (roomRules[kind].setsAfterTrack) host.setAfterTrack('queue');
  });
  useEffect(() => {
    if (tracks !== null && model !== null) begin(model.host, tracks);
  }, [tracks, model]);
  return tracks;
}

interface BoardWords {
  title: string;
  lead: string;
  foot: string;
}

const afterFirst: Record<AfterTrack, string> = {
  stop: t`After the first track, the music stops until you choose another.`,
  queue: t`After the first track, the queue goes on by itself.`,
  suggested: t`After the first track, Suggested goes on by itself.`,
};

function hostWords(tracks: readonly LibraryTrack[] | null, afterTrack: AfterTrack): BoardWords {
  const [first] = tracks ?? [];
  const isEmpty = tracks?.length === 0;
  return {
    title: isEmpty
      ? t`Search for a track to start`
      : first?.isFilm
        ? t`Press a film to start`
        : t`Press a track to start`,
    lead: t`It plays for everybody here, at the same second.`,
    foot: afterFirst[afterTrack],
  };
}

function guestWords(host: string, everyoneAdds: boolean): BoardWords {
  const whatHappens = t`${host} chooses the first track. It starts here by itself, at the same second for everybody.`;
  return everyoneAdds
    ? {
        title: t`Nothing plays yet`,
        lead: `${whatHappens} ${t`Until then you can add one.`}`,
        foot: t`Everybody here can add tracks to the queue.`,
      }
    : {
        title: t`Nothing plays yet`,
        lead: `${whatHappens} ${t`Until then you can propose one.`}`,
        foot: t`Everybody here can vote for a proposal; ${host} starts it.`,
      };
}

interface CardProps {
  track: LibraryTrack;
  use: TrackUse;
  isGuest: boolean;
  formatTime: (seconds: number) => string;
  isBusy: boolean;
  onPress: () => void;
}

/** The key covers the whole card. */
function Card({ track, use, isGuest, formatTime, isBusy, onPress }: CardProps) {
  const { title, name, artist, durationSeconds, thumbnail, videoId } = track;
  const standing = isGuest ? (use.standingOf?.(videoId) ?? null) : null;
  const mark = isGuest ? standing === null ? <PlusIcon /> : <CheckIcon /> : <PlayIcon size={18} />;
  return (
    <>
      <span className={styles.pic}>
        <Thumb id={videoId} url={thumbnail ?? undefined} className={styles.cover} />
        <span
          className={classNames(styles.go, isGuest && styles.plus, standing !== null && styles.done)}
          aria-hidden="true"
        >
          {isBusy ? <Spinner /> : mark}
        </span>
        {durationSeconds !== null && <span className={styles.length}>{formatTime(durationSeconds)}</span>}
      </span>
      <span className={styles.words}>
        <button
          type="button"
          className={styles.press}
          aria-label={isGuest ? guestLabel(title, use, standing) : t`Play ${title} for everybody`}
          aria-disabled={standing !== null || undefined}
          aria-busy={isBusy || undefined}
          onClick={isBusy || standing !== null ? undefined : onPress}
        >
          <strong dir="auto">{name}</strong>
        </button>
        {artist !== null && <span dir="auto">{artist}</span>}
      </span>
    </>
  );
}

function guestLabel(title: string, { everyoneAdds }: TrackUse, standing: Standing): string {
  if (standing !== null) return `${title}: ${catalogueWords[standing]}`;
  return everyoneAdds ? addLabel(title) : `${catalogueWords.propose} ${title}`;
}
