/** What tests of screens may ask of the browser itself, beyond what a page can do. Runs in Node, beside the browser. */
import { serveFakeYouTube, type BrokenVideos } from '@tunemate/testkit/fake-youtube';
import { defineBrowserCommand } from '@vitest/browser-playwright';

export type ColorScheme = 'dark' | 'light';

/** The theme that the device asks for, and whether it wants things to move. */
const emulateTheme = defineBrowserCommand<[theme: ColorScheme, moves?: boolean]>(
  ({ page }, colorScheme, moves = false) =>
    page.emulateMedia({ colorScheme, reducedMotion: moves ? 'no-preference' : 'reduce' }),
);

/** A stand-in for YouTube's player; a video named in `broken` fails with that number of YouTube's. */
const serveYouTube = defineBrowserCommand<[broken: BrokenVideos, live?: readonly string[]]>(
  ({ context }, broken, live) => serveFakeYouTube(context, broken, live),
);

const media = '**/media/**';

/** Files of the library do not get through, until they do again. */
const cutMedia = defineBrowserCommand<[isCut: boolean]>(({ context }, isCut) =>
  isCut ? context.route(media, (route) => route.abort()) : context.unroute(media),
);

export const browserCommands = { emulateTheme, serveYouTube, cutMedia };
