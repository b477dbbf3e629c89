/**
 * A person in a browser of their own: signs up as any person would, takes the link from the outbox, signs in, and moves
 * through the screens by what is written on them.
 */
import { type Browser, type BrowserContext, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import type { RoomKind, Uid } from '@tunemate/protocol';
import { valueOf } from '@tunemate/testkit/answers';
import { createHttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { waitForMail } from '@tunemate/testkit/services/outbox';
import type { ServerProcess } from '@tunemate/testkit/services/process';
import { keepNotices, sees } from './notices.ts';

/** The password of every test person, unless the test changes it. */
export const password = 'sleeves and discs forever';

/** The words on the screen that differ between the kinds of room. */
export const kindWords = {
  video: {
    create: 'Create Video Room',
    join: 'Join Tunemate Video Room',
    path: '/tunemate/',
    ended: 'This Tunemate Room is ended by the host',
    search: 'Search videos',
    time: /^\d\d:\d\d:\d\d$/,
  },
  audio: {
    create: 'Create Audio Room',
    join: 'Join Tunemate Audio Room',
    path: '/audio-room/',
    ended: 'This Audio Room is ended by the host.',
    search: 'Search tracks',
    time: /^\d\d:\d\d$/,
  },
} as const satisfies Record<RoomKind, object>;

export interface Person {
  name: string;
  context: BrowserContext;
  page: Page;
  /** Errors of the page and of its console; a journey ends with none. */
  complaints: string[];
  /** How many times this page has received that the room plays, pauses or moves. */
  moves: () => number;
}

const visits: BrowserContext[] = [];

/** Closes the browsers of everyone who came since the last call: a page left open goes on playing and reconnecting. */
export async function closeVisits(): Promise<void> {
  await Promise.all(visits.splice(0).map((context) => context.close()));
}

/**
 * Opens a browser context at `url` for `name`, who has no account yet. Most prefer less motion: without a graphics
 * processor, turning records take the time that the players of the same machine need. Most have no worker either: it
 * would fetch all files of the app for each of them.
 */
export async function visitor(
  browser: Browser,
  url: string,
  name: string,
  reducedMotion: 'reduce' | 'no-preference' = 'reduce',
  serviceWorkers: 'allow' | 'block' = 'block',
  device: BrowserContextOptions = {},
): Promise<Person> {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ ...device, baseURL: url, permissions, reducedMotion, serviceWorkers });
  visits.push(context);
  await keepNotices(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    // The browser logs every refused request to the console; that is no error of the page.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) complaints.push(line.text());
  });
  let moves = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => (moves += payload.toString().split('"playback/moved"').length - 1)),
  );
  return { name, context, page, complaints, moves: () => moves };
}

/** The person's own uid, as the server tells their browser. */
export async function uidOf({ page }: Person): Promise<Uid> {
  return await page.evaluate(async () => {
    const answer = (await (await fetch('/api/session')).json()) as { value: { user: { uid: Uid } } };
    return answer.value.user.uid;
  });
}

export const emailOf = (name: string): string => `${name.toLowerCase().replaceAll(' ', '.')}@example.test`;

/**
 * Makes an account and a session, and ends on the home screen. For tests of something else: what `becomeMember` does
 * on the screens is requested from the server directly.
 */
export async function haveAccount(
  { context, page, name }: Person,
  server: Pick<ServerProcess, 'url' | 'dataDir'>,
): Promise<void> {
  const { url } = server;
  const { browser, email } = await makeAccount(name, server);
  valueOf((await browser.call('POST /api/accounts/sign-in', { email, password })).result);
  await haveSession(context, url, browser.cookie());
  await page.goto('/');
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** The browser was signed in before. */
export async function haveSession(context: BrowserContext, url: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
}

/** A verified account, and a visitor who is not signed in to it yet. */
export async function makeAccount(name: string, { url, dataDir }: Pick<ServerProcess, 'url' | 'dataDir'>) {
  const browser = createHttpVisitor(url, url);
  const email = emailOf(name);
  valueOf((await browser.call('POST /api/accounts/sign-up', { name, email, password })).result);
  const mail = await waitForMail(`${dataDir}/outbox`, email);
  const oobCode = new URL(mail.links[0] ?? url).searchParams.get('oobCode') ?? '';
  valueOf((await browser.call('POST /api/accounts/verify-email', { oobCode })).result);
  return { browser, email };
}

/** Fills in the form for a new account; answers the link that comes by mail. */
export async function signUp(
  { page, name }: Person,
  email: string,
  { dataDir }: Pick<ServerProcess, 'dataDir'>,
): Promise<string> {
  await page.goto('/signup');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Verification Email Sent!')).toBeVisible();
  return (await waitForMail(`${dataDir}/outbox`, email)).links[0] ?? '';
}

/** Signs up, opens the link of the mail in the same browser and verifies, which signs in: ends on the home screen. */
export async function becomeMember(person: Person, server: Pick<ServerProcess, 'dataDir'>): Promise<void> {
  const { page, name } = person;
  await page.goto(await signUp(person, emailOf(name), server));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** Presses Logout and waits for the new page that follows. */
export async function leaveBy(page: Page, press: () => Promise<void>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), press()]);
}

/** Ends on the home screen. */
export async function signIn({ page, name }: Person, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** From home to a room of one's own; answers its code. */
export async function createRoom({ page }: Person, kind: RoomKind, name: string): Promise<string> {
  await page.goto('/');
  await page.getByRole('link', { name: kindWords[kind].create }).click();
  await page.getByLabel('Room name').fill(name);
  await page.getByRole('button', { name: 'Create Room' }).click();
  await page.getByRole('button', { name: 'Copy Code' }).click();
  await sees(page, 'Room Code copied to clipboard!');
  const code = await page.evaluate(() => navigator.clipboard.readText());
  await page
    .getByRole('link', { name: 'Enter Room' })
    .or(page.getByRole('button', { name: 'Enter Room' }))
    .click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(page.getByText('You (Host)')).toBeVisible();
  return code;
}

/** From home to the waiting screen. */
export async function askToJoin({ page }: Person, kind: RoomKind, code: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: kindWords[kind].join }).click();
  await page.getByLabel('Room code').fill(code.toLowerCase());
  await page
    .getByRole('button', { name: 'Join Session' })
    .or(page.getByRole('button', { name: 'Join Room' }))
    .click();
  await expect(page.getByText('Waiting for Host Approval...')).toBeVisible();
  await expect(page.getByText("Don't leave this page")).toBeVisible();
}

/** In the open chat of two or of a room. */
export async function write(page: Page, words: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(words);
  await page.keyboard.press('Enter');
}

/** The messages of two. */
export const log = (page: Page) => page.getByRole('log', { name: 'Messages' });

/** Those with these words. */
export const entry = (page: Page, words: string) => log(page).getByRole('article').filter({ hasText: words });

/** Searches the library and starts the first result. */
export async function playFromLibrary({ page }: Person, kind: RoomKind, query: string): Promise<void> {
  const field = page.getByLabel(kindWords[kind].search);
  await field.fill(query);
  await field.press('Enter');
  // The board of a new room may have the same track, and leaves the results open.
  const results = page.getByRole('region', { name: 'Search Results' });
  await results
    .getByRole('button', { name: new RegExp(query, 'i') })
    .first()
    .click();
}

/** The page's own media element. */
export const player = ({ page }: Person) => page.getByTestId('player-media');

/** Seconds into the track, as the element itself says. */
export async function positionOf(person: Person): Promise<number> {
  return await player(person).evaluate((element: HTMLMediaElement) => element.currentTime);
}

export async function isPlaying(person: Person): Promise<boolean> {
  return await player(person).evaluate(
    // A player that warms up is muted and does not count as playing.
    (element: HTMLMediaElement) => !element.paused && !element.muted && element.readyState > 2,
  );
}

/**
 * Both positions as of one moment: each is read with its page's wall clock, which on one machine is the same clock.
 * Answers by how many milliseconds the second is ahead of the first.
 */
export async function spreadMs(first: Person, second: Person): Promise<number> {
  const read = (person: Person) =>
    player(person).evaluate(
      (element: HTMLMediaElement) => element.currentTime * 1000 - (performance.timeOrigin + performance.now()),
    );
  const [a, b] = await Promise.all([read(first), read(second)]);
  return b - a;
}

/** After a reload the browser may refuse to make sound without a tap; then there is a button to tap. */
export async function listen(person: Person): Promise<void> {
  const tap = person.page.getByRole('button', { name: 'Tap to listen' });
  await expect(player(person)).toBeAttached();
  await expect
    .poll(async () => {
      if (await tap.isVisible()) await tap.click();
      return await isPlaying(person);
    })
    .toBe(true);
}
