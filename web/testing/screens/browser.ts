/** The browser around a screen: theme, size, network, storage, and page loads that a test must not follow. */
import { commands, page } from 'vitest/browser';

type ColorScheme = 'dark' | 'light';

/** What a test sets of the fake of YouTube; the test kit describes each setting. */
interface YouTubeSettings {
  readonly broken?: Readonly<Record<string, number>>;
  readonly live?: readonly string[];
  readonly adverts?: Readonly<Record<string, { readonly seconds: number; readonly reported: 1 | -1 }>>;
  readonly asks?: readonly string[];
}

declare global {
  interface Window {
    /** The last player that the fake of YouTube made. */
    fakeYouTube?: {
      videoId(): string;
      /** Null while there is no sound, or that of an advert. */
      position(): number | null;
      state(): number;
      touch(what: 'play' | 'pause' | number): void;
    };
  }
}

/** The commands of vitest.screens.config.ts, which run in Node beside the browser. */
declare module 'vitest/browser' {
  /** Chromium's protocol, as far as tests use it. */
  interface CDPSession {
    send(
      method: 'Input.dispatchTouchEvent',
      touch: { type: 'touchStart' | 'touchMove' | 'touchEnd'; touchPoints: readonly { x: number; y: number }[] },
    ): Promise<unknown>;
  }
  interface BrowserCommands {
    emulateTheme: (theme: ColorScheme, moves?: boolean) => Promise<void>;
    forceColors: (isForced: boolean) => Promise<void>;
    cutMedia: (isCut: boolean) => Promise<void>;
    serveYouTube: (world: YouTubeSettings) => Promise<void>;
  }
}

export const wide = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

export interface Look {
  readonly theme: ColorScheme;
  readonly width: number;
  readonly height: number;
}
/** In an order in which each needs one change of the browser. */
export const allLooks: readonly Look[] = [
  { theme: 'dark', ...wide },
  { theme: 'light', ...wide },
  { theme: 'light', ...phone },
  { theme: 'dark', ...phone },
];

let loads: string[] = [];

/** Addresses that the page wanted to load since the test began: '/', or the page's own address for a reload. */
export const pageLoads = (): readonly string[] => loads;

function note(event: NavigateEvent): void {
  if (event.destination.sameDocument) return;
  event.preventDefault();
  loads.push(new URL(event.destination.url).pathname);
}

/** A load would end the test with its page, also one that is asked for between two files; it is recorded instead. */
export function watchNavigation(): void {
  navigation.addEventListener('navigate', note);
}

/** What browsers leave out on a page served over plain http, as from another device of the network, is missing now. */
export function withoutTls(): void {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  Object.defineProperty(crypto, 'randomUUID', { configurable: true, value: undefined });
}

export function withTls(): void {
  Reflect.deleteProperty(navigator, 'clipboard');
  Reflect.deleteProperty(crypto, 'randomUUID');
}

export async function resetBrowser(): Promise<void> {
  loads = [];
  localStorage.clear();
  sessionStorage.clear();
  Reflect.deleteProperty(navigator, 'onLine');
  // The runner shows several pages at once in one browser, and only one of them has the focus.
  document.hasFocus = () => true;
  beUsed(true);
  withTls();
  await look({ theme: 'dark', ...wide });
}

/** Whether the user pressed anything on the page since it was opened. */
export function beUsed(hasBeenActive: boolean): void {
  Object.defineProperty(navigator, 'userActivation', { configurable: true, value: { hasBeenActive, isActive: false } });
}

export async function look({ theme, width, height }: Look): Promise<void> {
  // A command takes as long when it changes nothing.
  if (!isThemed(theme)) await commands.emulateTheme(theme);
  if (window.innerWidth !== width || window.innerHeight !== height) await page.viewport(width, height);
}

/** Whether the device prefers this theme, and reduced motion. */
const isThemed = (theme: ColorScheme): boolean =>
  matchMedia(`(prefers-color-scheme: ${theme}) and (prefers-reduced-motion: reduce)`).matches;

/** Allows motion until the look is set again, as on a device without a preference. */
export const letThingsMove = (): Promise<void> => commands.emulateTheme('dark', true);

export async function lookOnPhone(): Promise<void> {
  await page.viewport(phone.width, phone.height);
}

/**
 * What the device reports about its network from now on. The network itself stays up: the tests need it to reach the
 * page.
 */
export function beOnline(isOnline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

/**
 * What a press copies. The clipboard is that of the whole browser: the tests beside this one copy too, so it is worth
 * another press.
 */
export async function copiedBy(press: () => Promise<void>): Promise<string> {
  await press();
  return await navigator.clipboard.readText();
}
