/** Buttons for subtitles, picture in picture where the browser has it, and full screen. */
import type { VideoId } from '@tunemate/protocol';
import { Suspense } from 'react';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { FullScreenIcon, PictureInPictureIcon } from '../../ui/icons/film-icons.tsx';
import { hasFullScreen, pictureWindowLabel, toggleFullScreen, togglePictureWindow } from './screen-modes.ts';
import type { PagePlayer } from '../players/page-player.ts';
import type { FilmSubtitlesProps } from './SubtitlesButton.tsx';
import { t } from '../../language/t.ts';

const Subtitles = lazyPart(async () => (await import('./SubtitlesButton.tsx')).FilmSubtitles);

export interface PictureButtonsProps {
  stage: PagePlayer;
  /** The playing track; null for none. */
  film: VideoId | null;
  subtitlesOf: FilmSubtitlesProps['ask'];
  /** In full screen another button leaves it. */
  isFull: boolean;
}

export function PictureButtons({ stage, film, subtitlesOf, isFull }: PictureButtonsProps) {
  const { source, isMoving } = useReadable(stage.picture);
  return (
    <>
      {film !== null && isMoving && source === 'library' && (
        <Suspense>
          <Subtitles film={film} ask={subtitlesOf} picture={stage.element} />
        </Suspense>
      )}
      {document.pictureInPictureEnabled && isMoving && source === 'library' && (
        <IconButton
          label={pictureWindowLabel}
          icon={<PictureInPictureIcon />}
          onClick={() => void togglePictureWindow(stage)}
        />
      )}
      {hasFullScreen && !isFull && (
        <IconButton label={t`Full screen`} icon={<FullScreenIcon />} onClick={toggleFullScreen} />
      )}
    </>
  );
}
