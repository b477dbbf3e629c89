/** Commands of screen tests for the browser, beyond what a page can do. They run in Node, beside the browser. */
import { serveFakeYouTube, type BrokenVideos } from '@tunemate/testkit/fake-youtube';
import { defineBrowserCommand } from '@vitest/browser-playwright';

export type ColorScheme = 'dark' | 'light';

/** The device's preferred theme, and whether it prefers reduced motion. */
const emulateTheme = defineBrowserCommand<[theme: ColorScheme, moves?: boolean]>(
  ({ page }, colorScheme, moves = false) =>
    page.emulateMedia({ colorScheme, reducedMotion: moves ? 'no-preference' : 'reduce' }),
);

/** A fake of YouTube's player; a video listed in `broken` fails with that YouTube error number. */
const serveYouTube = defineBrowserCommand<[broken: BrokenVideos, live?: readonly string[]]>(
  ({ context }, broken, live) => serveFakeYouTube(context, broken, live),
);

const media = '**/media/**';

/** Blocks requests for media files, until they are allowed again. */
const cutMedia = defineBrowserCommand<[isCut: boolean]>(({ context }, isCut) =>
  isCut ? context.route(media, (route) => route.abort()) : context.unroute(media),
);

export const browserCommands = { emulateTheme, serveYouTube, cutMedia };
