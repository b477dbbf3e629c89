/** The player of a room and its controls: a picture frame in video rooms, a cover in audio rooms. */
import { roomRules } from '@tunemate/domain';
import { limits, type RoomDocument, type VideoId } from '@tunemate/protocol';
import { type ComponentProps, useEffect, useState } from 'react';
import { sentenceOf } from '../../words/errors.ts';
import type { ClockSync } from '../../playback/clock-sync.ts';
import { HiddenPlayer, PlayerFrame, PlayerNotices } from '../../playback/deck/PlayerFrame.tsx';
import { AudioPlayer, VideoControls, type ViewMode } from '../../playback/deck/PlayerControls.tsx';
import { SoundButton, type SoundProps, Volume } from '../../playback/deck/SoundLine.tsx';
import {
  useFullScreenEnds,
  hasFullScreen,
  onItsSide,
  pictureWindowLabel,
  toggleFullScreen,
  togglePictureWindow,
} from '../../playback/deck/screen-modes.ts';
import { useEvents, useReadable } from '../../store/use-readable.ts';
import { useSlowReadable } from '../../store/use-slow-readable.ts';
import type { PlaybackModel } from '../../playback/playback-model.ts';
import { isShownPlaying } from '../../playback/playback-view.ts';
import { playbackSentences } from '../../playback/playback-words.ts';
import { laterPart, lazyPart } from '../../store/lazy-part.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { WideIcon } from '../../ui/icons/marks.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import { useUnseen } from '../chat/RoomChat.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { factsOf } from '../room-kinds.ts';
import type { Toggle } from './FullScreenPlates.tsx';
import styles from './Stage.module.css';
import type { RoomView } from './visit.ts';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';
import { FullScreenIcon, PictureInPictureIcon } from '../../ui/icons/film-icons.tsx';
import type { PagePlayer } from '../../playback/players/page-player.ts';
import type { FilmSubtitlesProps } from '../../playback/deck/SubtitlesButton.tsx';

const RisingReactions = laterPart(async () => (await import('../chat/RisingReactions.tsx')).RisingReactions);
const RoomKeys = laterPart(async () => (await import('../../playback/deck/RoomKeys.tsx')).RoomKeys);
const Queue = lazyPart(async () => (await import('./UpNext.tsx')).Queue);
const FullScreenPlates = lazyPart(async () => (await import('./FullScreenPlates.tsx')).FullScreenPlates);
const UpNextButton = lazyPart(async () => (await import('./FullScreenPlates.tsx')).UpNextButton);
const QueueQuestion = lazyPart(async () => (await import('../../playback/deck/LineNotices.tsx')).QueueQuestion);
export const UndoNotice = lazyPart(async () => (await import('../../playback/deck/LineNotices.tsx')).UndoNotice);
const PausedPlate = lazyPart(async () => (await import('../remote/RemoteLine.tsx')).PausedPlate);
const SkipVotes = laterPart(async () => (await import('../proposals/SkipVotes.tsx')).SkipVotes);
const Lyrics = laterPart(async () => (await import('../../playback/lyrics/Lyrics.tsx')).Lyrics);
const AfterTrack = lazyPart(async () => (await import('../../playback/deck/AfterTrack.tsx')).AfterTrack);

type StageProps = RoomView & {
  isFull: boolean;
  viewMode: ViewMode;
  onView: (view: ViewMode) => void;
  beside: ComponentProps<typeof AudioPlayer>['beside'];
  isShown: boolean;
  chat: Toggle;
  /** For full screen. */
  requests: Toggle;
  /** CSS hides its button on phones, which have no sidebar. */
  wideView: { isOn: boolean; onToggle: () => void };
  lyrics: Toggle;
  /** In the player's place before the first track; null where the player is shown. */
  board: Elements | null;
  /** The room’s first track has just begun: its cover arrives. */
  isFirst: boolean;
};

export function StagePlayerView(props: StageProps) {
  const { kind, parts, state, self, config, viewMode, beside, lyrics, board, isFirst } = props;
  const { panels, formatTime } = factsOf(kind);
  const view = useReadable(parts.playback.view);
  const peaks = useReadable(parts.peaks);
  const { track } = view.playing;
  const isPaused = track !== null && !isShownPlaying(view);
  const cover = <RoomCover {...props} />;
  const reactions = <RisingReactions reactions={parts.chat.reactions} />;
  const inPlace = board !== null && (
    <div className={styles.withReactions}>
      {board}
      {reactions}
    </div>
  );
  if (panels.stage === 'frame') {
    return (
      <>
        {inPlace}
        {/* A player that is mounted anew would restart with its first track. */}
        <div className={board === null ? styles.withReactions : styles.unseen}>
          <PlayerFrame
            stage={parts.stage}
            isAudioOnly={viewMode === 'audio-only'}
            keepsTile={config?.youtubeVisiblePlayer ?? false}
            sleeve={cover}
            paused={
              isPaused && (
                <PausedPlate
                  room={state.room}
                  selfUid={self.uid}
                  model={parts.playback}
                  at={formatTime(parts.playback.positionSeconds())}
                />
              )
            }
          />
          {board === null && reactions}
        </div>
      </>
    );
  }
  return (
    <>
      {inPlace || (
        <AudioPlayer
          model={parts.playback}
          progress={parts.progress}
          formatTime={formatTime}
          sleeve={
            <div className={classNames(styles.withReactions, isFirst && styles.arriving)}>
              {cover}
              {reactions}
            </div>
          }
          peaks={(track && peaks.get(track.videoId)) ?? null}
          words={<Lyrics model={parts.playback} ask={parts.lyricsOf} {...lyrics} isOpen={beside === 'words'} />}
          sound={
            <>
              <Volume {...soundOf(props)} />
              <SoundButton {...soundOf(props)} />
            </>
          }
          beside={beside}
        />
      )}
      <HiddenPlayer stage={parts.stage} isShown={config?.youtubeVisiblePlayer ?? false} />
    </>
  );
}

export function StageDeck(props: StageProps) {
  const { kind, visit, state, parts, self, isShown, isFull, beside, board } = props;
  const { panels } = factsOf(kind);
  const { control, playing } = useReadable(parts.playback.view);
  const film = playing.track?.videoId ?? null;
  const trouble = usePlaybackTrouble(parts.playback);
  useActsOfOthers(props);
  const isHostAway = useHostAway(state.room, visit.clockSync) && state.room.host !== self.uid;
  useFullScreenEnds(isShown);
  return (
    <>
      <PlayerNotices model={parts.playback} stage={parts.stage} isHostAway={isHostAway} trouble={trouble}>
        {roomRules[kind].setsAfterTrack && <QueueQuestion model={parts.playback} code={state.room.code} />}
        {isFull && <UndoNotice model={parts.playback} floats={false} />}
      </PlayerNotices>
      {panels.stage === 'frame' && board === null && <PictureDeck {...props} film={film} />}
      {roomRules[kind].setsAfterTrack &&
        control === 'mine' &&
        beside !== 'words' &&
        beside !== 'library' &&
        board === null && <AfterTrack model={parts.playback} />}
      {film !== null && control === 'guest' && (
        <SkipVotes
          fallback={<div className={styles.skipPlace} />}
          room={state.room}
          selfUid={self.uid}
          videoId={film}
        />
      )}
      {isShown && (
        <RoomKeys model={parts.playback} deviceSound={visit.deviceSound} hasPicture={panels.stage === 'frame'} />
      )}
    </>
  );
}

const soundOf = ({ parts, visit: { deviceSound, clockSync } }: RoomView): SoundProps => ({
  model: parts.playback,
  deviceSound,
  clockSync,
});

type PictureDeckProps = StageProps & {
  film: VideoId | null;
};

/** The controls below a picture. In full screen a plate has the buttons for the picture, and "Up next" is here. */
function PictureDeck(props: PictureDeckProps) {
  const { kind, parts, viewMode, onView, wideView, film, isFull } = props;
  const sound = soundOf(props);
  const [isQueueOpen, setIsQueueOpen] = useState(false);
  const { queue, currentIndex } = useReadable(parts.playback.view).playing;
  const next = queue.length > 1 ? queue[(currentIndex + 1) % queue.length] : undefined;
  const tools = <PictureButtons stage={parts.stage} film={film} subtitlesOf={parts.subtitlesOf} isFull={isFull} />;
  const upNext = next && (
    <UpNextButton track={next} isOpen={isQueueOpen} onToggle={() => setIsQueueOpen(!isQueueOpen)} />
  );
  return (
    <>
      {isFull && next && isQueueOpen && (
        <div className={styles.queue}>
          <Queue {...props} />
        </div>
      )}
      <VideoControls
        model={parts.playback}
        progress={parts.progress}
        formatTime={factsOf(kind).formatTime}
        view={viewMode}
        onView={onView}
        sound={<Volume {...sound} />}
        tools={
          isFull ? (
            upNext
          ) : (
            <>
              {tools}
              <IconButton
                label={t`Wide view`}
                className={styles.wideView}
                aria-pressed={wideView.isOn}
                icon={<WideIcon />}
                onClick={wideView.onToggle}
              />
              <SoundButton {...sound} />
            </>
          )
        }
      />
      {isFull && <Plates {...props} tools={tools} />}
    </>
  );
}

/** Over a film of the library the plates may hide unless the player is held or the user has opened the requests. */
function Plates({
  visit,
  state: { room },
  parts,
  self,
  chat,
  requests,
  tools,
}: PictureDeckProps & { tools: Elements }) {
  const { source } = useReadable(parts.stage.picture);
  const isHeld = useSlowReadable(parts.playback.follow, ({ status }) => status === 'held' || status === 'blocked');
  const waiting = useReadable(visit.requests.state).pending.length;
  const isPlaying = isShownPlaying(useReadable(parts.playback.view));
  const mayHide = source === 'library' && !isHeld && !requests.isOpen;
  const unseen = useUnseen(parts.chat, room.participants, self.uid, chat.isOpen).messages;
  return (
    <FullScreenPlates
      name={room.name}
      state={playbackSentences[isPlaying ? 'playing' : 'paused']}
      people={room.people}
      requests={{ ...requests, waiting }}
      chat={{ ...chat, unseen }}
      tools={tools}
      mayHide={mayHide}
    />
  );
}

/** How long the first cover is on its way before its record comes out. */
const coverMs = 400;

/** The track's picture, or the tiles of the room's code. */
function RoomCover({ state, parts, isFirst }: StageProps) {
  const [isInside, setIsInside] = useState(isFirst);
  useEffect(() => {
    const timer = setTimeout(() => setIsInside(false), coverMs);
    return () => clearTimeout(timer);
  }, []);
  const now = useReadable(parts.playback.view);
  const { room } = state;
  return (
    <Sleeve
      name={room.name}
      code={room.code}
      pictureUrl={now.playing.track?.thumbnail ?? undefined}
      recordInside={isInside}
      record={<Vinyl pressed spinning={isShownPlaying(now)} />}
    />
  );
}

const troubleShownMs = 8000;

/** The last refusal or player failure in words; null again after a while. */
/** What other people who hold the remote do is said in the notice line. */
function useActsOfOthers({ kind, state: { room }, parts }: Pick<StageProps, 'kind' | 'state' | 'parts'>): void {
  const toast = useToast();
  useEvents(parts.playback.notices, (notice) => {
    if (notice.type !== 'acted') return;
    void import('../remote/remote-words.ts').then(
      ({ actWords }) => toast(actWords(notice, room, factsOf(kind).formatTime)),
      () => undefined,
    );
  });
}

function usePlaybackTrouble(playback: PlaybackModel): string | null {
  const [trouble, setTrouble] = useState<{ words: string } | null>(null);
  useEvents(playback.notices, (notice) => {
    const say = (words: string) => setTrouble({ words });
    if (notice.type === 'refused') say(sentenceOf(notice.refusal));
    else if (notice.type === 'track-failed') {
      void import('../../playback/track-failed.ts').then(
        ({ trackFailed }) => say(trackFailed(notice.title, notice.code)),
        () => say(sentenceOf({ code: 'server/unavailable' })),
      );
    }
  });
  useEffect(() => {
    if (trouble === null) return undefined;
    const timer = setTimeout(() => setTrouble(null), troubleShownMs);
    return () => clearTimeout(timer);
  }, [trouble]);
  return trouble?.words ?? null;
}

/** Whether the host has been away for five seconds, and has not left the room to the house. */
export function useHostAway(room: Pick<RoomDocument, 'hostAwaySince' | 'housePlays'>, clockSync: ClockSync): boolean {
  /** Server time in ms; null while present. */
  const hostAwaySince = room.housePlays ? null : room.hostAwaySince;
  const [shownSince, setShownSince] = useState<number | null>(null);
  useEffect(() => {
    if (hostAwaySince === null) return undefined;
    const serverMs = clockSync.serverNow();
    const awayMs = Number.isNaN(serverMs) ? 0 : serverMs - hostAwaySince;
    const timer = setTimeout(() => setShownSince(hostAwaySince), Math.max(0, limits.hostAwayBannerMs - awayMs));
    return () => clearTimeout(timer);
  }, [hostAwaySince, clockSync]);
  return hostAwaySince !== null && shownSince === hostAwaySince;
}

const Subtitles = lazyPart(async () => (await import('../../playback/deck/SubtitlesButton.tsx')).FilmSubtitles);

interface PictureButtonsProps {
  stage: PagePlayer;
  /** The playing track; null for none. */
  film: VideoId | null;
  subtitlesOf: FilmSubtitlesProps['ask'];
  /** In full screen another button leaves it. */
  isFull: boolean;
}

/** Buttons for subtitles, picture in picture where the browser has it, and full screen. */
function PictureButtons({ stage, film, subtitlesOf, isFull }: PictureButtonsProps) {
  const { source, isMoving } = useReadable(stage.picture);
  const isOnSide = useReadable(onItsSide);
  return (
    <>
      {film !== null && isMoving && source === 'library' && (
        <Subtitles film={film} ask={subtitlesOf} picture={stage.element} />
      )}
      {document.pictureInPictureEnabled && isMoving && source === 'library' && (
        <IconButton
          label={pictureWindowLabel}
          icon={<PictureInPictureIcon />}
          onClick={() => void togglePictureWindow(stage)}
        />
      )}
      {(hasFullScreen || isOnSide) && !isFull && (
        <IconButton label={t`Full screen`} icon={<FullScreenIcon />} onClick={toggleFullScreen} />
      )}
    </>
  );
}
