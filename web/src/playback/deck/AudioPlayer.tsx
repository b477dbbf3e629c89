/** The player of an audio room: cover, title, status with elapsed and total time, level bar, play and seek. */
import { useReadable, useSlowReadable } from '../../store/use-readable.ts';
import { DeckButton, DeckButtons } from '../../ui/deck/DeckButtons.tsx';
import { LevelBar } from '../../ui/deck/LevelBar.tsx';
import { Marquee } from '../../ui/deck/Marquee.tsx';
import { SleevePlayer } from '../../ui/deck/SleevePlayer.tsx';
import { CrownIcon, NextIcon, PauseIcon, PlayIcon, PreviousIcon } from '../../ui/icons/marks.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { playbackSentences } from '../playback-words.ts';
import { isShownPlaying } from '../playback-view.ts';
import { PlaybackSeekBar, useProgress } from './PlaybackSeekBar.tsx';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

export interface AudioPlayerProps {
  model: PlaybackModel;
  /** For guests. */
  hostNote: string;
  formatTime: (seconds: number) => string;
  sleeve: Elements;
  /** One strip on phones, while the chat is open; everywhere while the library is. */
  compact: boolean | 'strip';
}

export function AudioPlayer({ model, hostNote, formatTime, sleeve, compact }: AudioPlayerProps) {
  const now = useReadable(model.view);
  const positionSeconds = useProgress(model);
  const { isLive } = useSlowReadable(model.follow);
  const { playing, control } = now;
  const isPlaying = isShownPlaying(now);
  const hasButton = control === 'mine' || control === 'free';
  const note = control === 'guest' && (
    <>
      <CrownIcon />
      <span>{hostNote}</span>
    </>
  );
  return (
    <SleevePlayer
      label={playbackSentences.player}
      sleeve={sleeve}
      title={<Marquee text={playing.title} caption={isPlaying ? playbackSentences.nowPlaying : null} />}
      status={isPlaying ? playbackSentences.playing : playbackSentences.paused}
      times={
        isLive ? playbackSentences.live : `${formatTime(positionSeconds)} / ${formatTime(playing.durationSeconds ?? 0)}`
      }
      level={<LevelBar playing={isPlaying} />}
      playButton={hasButton && <Transport model={model} />}
      seek={<PlaybackSeekBar model={model} formatTime={formatTime} />}
      note={note || undefined}
      compact={compact}
    />
  );
}

/** Previous and Next only where they lead to another track. */
function Transport({ model }: { model: PlaybackModel }) {
  const now = useReadable(model.view);
  const { track, queue, afterTrack } = now.playing;
  const isPlaying = isShownPlaying(now);
  const turns = track !== null && (queue.length > 1 || afterTrack === 'suggested');
  const play = (
    <DeckButton
      main
      solo={!turns}
      label={isPlaying ? t`Pause` : t`Play`}
      icon={isPlaying ? <PauseIcon /> : <PlayIcon />}
      disabled={track === null}
      onClick={() => model.host.setPlaying(!isPlaying)}
    />
  );
  if (!turns) return play;
  return (
    <DeckButtons label={t`Playback`}>
      <DeckButton label={t`Previous`} icon={<PreviousIcon />} onClick={() => model.host.previous()} />
      {play}
      <DeckButton label={t`Next`} icon={<NextIcon />} onClick={() => model.host.next()} />
    </DeckButtons>
  );
}
