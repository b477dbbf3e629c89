/** The player of an audio room: cover, title, status with elapsed and total time, level bar, play and seek. */
import type { ReactNode } from 'react';
import { useReadable, useSlowReadable } from '../../store/use-readable.ts';
import { DeckButton } from '../../ui/deck/DeckButtons.tsx';
import { LevelBar } from '../../ui/deck/LevelBar.tsx';
import { Marquee } from '../../ui/deck/Marquee.tsx';
import { SleevePlayer } from '../../ui/deck/SleevePlayer.tsx';
import { CrownIcon, PauseIcon, PlayIcon } from '../../ui/icons/marks.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { playbackSentences, playingForEveryone } from '../playback-words.ts';
import { isShownPlaying } from '../playback-view.ts';
import { PlaybackSeekBar, useProgress } from './PlaybackSeekBar.tsx';

export interface AudioPlayerProps {
  model: PlaybackModel;
  hostName: string;
  formatTime: (seconds: number) => string;
  sleeve: ReactNode;
  /** One strip on phones, while the chat is open; everywhere while the library is. */
  compact: boolean | 'strip';
}

export function AudioPlayer({ model, hostName, formatTime, sleeve, compact }: AudioPlayerProps) {
  const now = useReadable(model.view);
  const positionSeconds = useProgress(model);
  const { isLive } = useSlowReadable(model.follow);
  const { playing, control } = now;
  const isPlaying = isShownPlaying(now);
  const hasButton = control === 'mine' || control === 'free';
  const note = control === 'guest' && (
    <>
      <CrownIcon />
      {playingForEveryone(hostName)}
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
      playButton={
        hasButton && (
          <DeckButton
            main
            solo
            label={isPlaying ? 'Pause' : 'Play'}
            icon={isPlaying ? <PauseIcon /> : <PlayIcon />}
            disabled={playing.track === null}
            onClick={() => model.host.setPlaying(!isPlaying)}
          />
        )
      }
      seek={<PlaybackSeekBar model={model} formatTime={formatTime} />}
      note={note || undefined}
      compact={compact}
    />
  );
}
