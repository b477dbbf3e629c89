/**
 * The window of its own that a film's picture can be in. It is the browser's: it has a key to close it, and it may
 * refuse to open. Then the picture stays where it is.
 */
import type { StagePlayer } from '../players/stage-player.ts';

/** The name of the button in the deck. */
export const pictureWindowLabel = 'Picture in picture';

/** Into a window of its own, or back. */
export async function togglePictureWindow({ element }: StagePlayer): Promise<void> {
  const video = element.querySelector<HTMLVideoElement>('video:not([hidden])');
  try {
    if (document.pictureInPictureElement !== null) await document.exitPictureInPicture();
    else await video?.requestPictureInPicture();
  } catch {
    // Nothing has changed.
  }
}
