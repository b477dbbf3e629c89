/** Below a picture: title, buttons for the host's controlling tab, seek bar with times, and the view toggle. */
import type { ReactNode } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import { Deck } from '../../ui/deck/Deck.tsx';
import { DeckButton, DeckButtons } from '../../ui/deck/DeckButtons.tsx';
import { Marquee } from '../../ui/deck/Marquee.tsx';
import { HeadphonesIcon, ScreenIcon } from '../../ui/icons/icons.tsx';
import { CrownIcon, NextIcon, PauseIcon, PlayIcon, PreviousIcon } from '../../ui/icons/marks.tsx';
import { SegmentedToggle } from '../../ui/buttons/SegmentedToggle.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { playbackSentences } from '../playback-words.ts';
import { isShownPlaying } from '../playback-view.ts';
import { PlaybackSeekBar } from './PlaybackSeekBar.tsx';
import { t } from '../../language/t.ts';

/** The user’s choice of view. */
export type ViewMode = 'video' | 'audio-only';

export interface VideoControlsProps {
  model: PlaybackModel;
  /** For guests. */
  hostNote: string;
  formatTime: (seconds: number) => string;
  view: ViewMode;
  onView: (view: ViewMode) => void;
  /** Sync badge and buttons for the picture. */
  tools?: ReactNode;
  /** Mute and volume. */
  sound?: ReactNode;
}

export function VideoControls({ model, hostNote, formatTime, view, onView, tools, sound }: VideoControlsProps) {
  const now = useReadable(model.view);
  const hasButtons = now.control === 'mine' || now.control === 'free';
  const note = now.control === 'guest' && (
    <>
      <CrownIcon />
      <span>{hostNote}</span>
    </>
  );
  return (
    <Deck
      label={playbackSentences.player}
      title={<Marquee text={now.playing.title} caption={isShownPlaying(now) ? playbackSentences.nowPlaying : null} />}
      seek={<PlaybackSeekBar model={model} formatTime={formatTime} showTimes />}
      transport={hasButtons && <TransportButtons model={model} />}
      note={note || undefined}
      tools={tools}
      sound={sound}
      view={
        <SegmentedToggle
          label={t`View`}
          value={view}
          onChange={onView}
          segments={[
            { value: 'video', name: t`Video view`, icon: <ScreenIcon /> },
            { value: 'audio-only', name: t`Audio only view`, icon: <HeadphonesIcon /> },
          ]}
        />
      }
    />
  );
}

function TransportButtons({ model }: { model: PlaybackModel }) {
  const now = useReadable(model.view);
  const isPlaying = isShownPlaying(now);
  const isEmpty = now.playing.track === null;
  const isAlone = now.playing.queue.length === 0;
  return (
    <DeckButtons label={t`Playback`}>
      <DeckButton
        label={t`Previous`}
        icon={<PreviousIcon />}
        disabled={isAlone}
        onClick={() => model.host.previous()}
      />
      <DeckButton
        main
        label={isPlaying ? t`Pause` : t`Play`}
        icon={isPlaying ? <PauseIcon /> : <PlayIcon />}
        disabled={isEmpty}
        onClick={() => model.host.setPlaying(!isPlaying)}
      />
      <DeckButton label={t`Next`} icon={<NextIcon />} disabled={isAlone} onClick={() => model.host.next()} />
    </DeckButtons>
  );
}
