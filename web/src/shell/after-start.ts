/** What a page does for itself once it stands. No part of the entry, whose weight every visitor waits for. */
import { keepHeard } from './heard.ts';
import { watchKeyboard } from './keyboard-height.ts';
import { tolerateMovedNodes } from './moved-nodes.ts';

export function afterStart(): void {
  // Extensions change a page that stands already.
  tolerateMovedNodes();
  watchKeyboard();
  keepHeard();
}
