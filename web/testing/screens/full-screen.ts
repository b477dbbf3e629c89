/** Full screen for tests: the test runner shows the page in a frame, which has none, so requests for it are recorded. */
import { afterEach, beforeEach } from 'vitest';

let full: Element | null = null;

function become(element: Element | null): Promise<void> {
  full = element;
  document.dispatchEvent(new Event('fullscreenchange'));
  return Promise.resolve();
}

/** The element in full screen; null for none. */
export const fullElement = (): Element | null => full;

/** For every test of the file that calls it. */
export function withFullScreen(): void {
  beforeEach(() => {
    full = null;
    Object.defineProperty(document, 'fullscreenElement', { configurable: true, get: () => full });
    document.exitFullscreen = () => become(null);
    Element.prototype.requestFullscreen = function (this: Element) {
      return become(this);
    };
  });
  afterEach(() => {
    Reflect.deleteProperty(document, 'fullscreenElement');
    Reflect.deleteProperty(document, 'exitFullscreen');
  });
}
