/** The keys for the picture itself, in the deck: picture in picture where the browser has it, and full screen. */
import { useReadable } from '../store/use-readable.ts';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { FullScreenIcon, PictureInPictureIcon } from '../ui/icons/icons.tsx';
import { hasFullScreen, toggleFullScreen, useFullScreenShortcuts, useIsFullScreen } from './full-screen.ts';
import type { StagePlayer } from './stage-player.ts';

/** `isShown` is false while another screen stands before the room: then the key `f` belongs to that. */
export function PictureKeys({ stage, isShown }: { stage: StagePlayer; isShown: boolean }) {
  const isFull = useIsFullScreen();
  const { source, isMoving } = useReadable(stage.picture);
  useFullScreenShortcuts(isShown);
  return (
    <>
      {document.pictureInPictureEnabled && isMoving && source === 'library' && (
        <IconButton label="Picture in picture" icon={<PictureInPictureIcon />} onClick={() => void popOut(stage)} />
      )}
      {hasFullScreen && (
        <IconButton label="Full screen" aria-pressed={isFull} icon={<FullScreenIcon />} onClick={toggleFullScreen} />
      )}
    </>
  );
}

/** Into a window of its own, or back. The browser may refuse: then the picture stays where it is. */
async function popOut({ element }: StagePlayer): Promise<void> {
  const video = element.querySelector<HTMLVideoElement>('video:not([hidden])');
  try {
    if (document.pictureInPictureElement !== null) await document.exitPictureInPicture();
    else await video?.requestPictureInPicture();
  } catch {
    // Nothing has changed.
  }
}
