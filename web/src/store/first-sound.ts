/**
 * While a room fetches its first sound, code that can wait does: on a slow line it would take its time from the track,
 * and on a slow device from the player.
 */

/** A track that is not heard by then must not keep the rest of the room away. */
const limitMs = 4000;

let over: Promise<void> = Promise.resolve();
let end: () => void = () => undefined;

/** From now on code that can wait does. */
export function expectFirstSound(): void {
  endFirstSound();
  over = new Promise((resolve) => (end = resolve));
  setTimeout(end, limitMs);
}

/** The sound is heard, or none will be: what waits is fetched. */
export function endFirstSound(): void {
  end();
}

/** Resolves when code that can wait may be fetched. */
export const afterFirstSound = (): Promise<void> => over;
