/** What tests of screens may ask of the browser itself, beyond what a page can do. Runs in Node, beside the browser. */
import { defineBrowserCommand } from '@vitest/browser-playwright';

export type ColorScheme = 'dark' | 'light';

/** The theme that the device asks for. */
const emulateTheme = defineBrowserCommand<[theme: ColorScheme]>(({ page }, colorScheme) =>
  page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }),
);

export const browserCommands = { emulateTheme };
