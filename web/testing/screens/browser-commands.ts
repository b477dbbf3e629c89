/** Commands of screen tests for the browser, beyond what a page can do. They run in Node, beside the browser. */
import { serveFakeYouTube } from '@tunemate/testkit/browsers/fake-youtube';
import type { YouTubeWorld } from '@tunemate/testkit/browsers/fake-youtube-player';
import { defineBrowserCommand } from '@vitest/browser-playwright';

export type ColorScheme = 'dark' | 'light';

/** The device's preferred theme, and whether it prefers reduced motion. */
const emulateTheme = defineBrowserCommand<[theme: ColorScheme, moves?: boolean]>(
  ({ page }, colorScheme, moves = false) =>
    page.emulateMedia({ colorScheme, reducedMotion: moves ? 'no-preference' : 'reduce' }),
);

/**
 * A fake of YouTube and its player, in the state that a test wants it in, also where another file's test has loaded the
 * script into the page before.
 */
const serveYouTube = defineBrowserCommand<[world: Partial<YouTubeWorld>]>(({ page }, world) =>
  serveFakeYouTube(page, world),
);

const media = '**/media/**';

/** Blocks requests for media files, until they are allowed again. */
const cutMedia = defineBrowserCommand<[isCut: boolean]>(({ context }, isCut) =>
  isCut ? context.route(media, (route) => route.abort()) : context.unroute(media),
);

export const browserCommands = { emulateTheme, serveYouTube, cutMedia };
