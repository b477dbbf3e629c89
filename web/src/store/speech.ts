/** Speech that is heard or recorded in this page, whatever screen is shown: rooms are turned down meanwhile. */
import { cell, type Readable, type Unsubscribe } from './cell.ts';

const count = cell(0);

/** How much is heard or recorded now. */
export const speech: Readable<number> = count;

/** Counts until the function that it returns is called. */
export function beginSpeech(): Unsubscribe {
  count.update((now) => now + 1);
  let isOver = false;
  return () => {
    if (!isOver) count.update((now) => now - 1);
    isOver = true;
  };
}
