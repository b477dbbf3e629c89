/**
 * The main story in short, for browsers that Playwright does not drive: sign in, come together, hear the same, talk.
 * Everything is done by mouse and keyboard, on what the screens say.
 */
import { expect } from '@playwright/test';
import type { RoomKind } from '@tunemate/protocol';
import { keys, type PlainPage, PlainScreen } from '@tunemate/testkit/browsers/plain-page';
import type { ServerProcess } from '@tunemate/testkit/services/process';
import { kindWords, makeAccount, password } from './person.ts';

/** A person with an account, at a page on which no user has signed in yet. */
export interface PlainPerson {
  readonly name: string;
  readonly email: string;
  readonly screen: PlainScreen;
}

export async function plainPerson(page: PlainPage, name: string, server: ServerProcess): Promise<PlainPerson> {
  const { email } = await makeAccount(name, server);
  await page.goto(`${server.url}/login`);
  return { name, email, screen: new PlainScreen(page) };
}

export async function signInPlainly({ screen, email, name }: PlainPerson): Promise<void> {
  await screen.fill('Email', email);
  await screen.fill('Password', password);
  await screen.press('button', 'Sign In');
  await screen.has('heading', name);
}

/** From home to a room of one's own; answers its code. */
export async function createRoomPlainly({ screen }: PlainPerson, kind: RoomKind, name: string): Promise<string> {
  const { create, path } = kindWords[kind];
  await screen.press('link', create);
  await screen.fill('Room name', name);
  await screen.press('button', 'Create Room');
  await screen.has('link', 'Enter Room');
  const ways = `[...document.querySelectorAll('a')].map(({ pathname }) => pathname)`;
  const way = String(await screen.page.evaluate(`${ways}.find((way) => way.startsWith('${path}'))`));
  await screen.press('link', 'Enter Room');
  await screen.says('You (Host)');
  return way.slice(path.length);
}

/** Creates, joins, accepts: both are in the room. */
export async function comeTogetherPlainly(host: PlainPerson, guest: PlainPerson, kind: RoomKind): Promise<void> {
  const room = `Evening of ${host.name}`;
  const code = await createRoomPlainly(host, kind, room);
  await guest.screen.press('link', kindWords[kind].join);
  await guest.screen.fill('Room code', code);
  await guest.screen.press('button', 'Join');
  await guest.screen.says('Waiting for Host Approval...');
  await host.screen.press('button', 'Accept');
  await guest.screen.has('heading', room);
}

const media = `document.querySelector('[data-testid="player-media"]')`;
const isHeard = `(media => media && !media.paused && !media.muted && media.readyState > 2)(${media})`;
/** What a player that is not heard says of itself, and what its page says. */
const whyNotHeard = `JSON.stringify((media => media && [
  'paused', 'ended', 'muted', 'readyState', 'networkState', 'currentTime', 'duration', 'currentSrc',
].map(name => [name, media[name]]).concat([['error', media.error && media.error.message]]))(${media}))
  + document.querySelector('main').innerText.slice(0, 300)`;

/** By how many milliseconds the guest's player is ahead of the host's. */
async function spreadMs(host: PlainPerson, guest: PlainPerson): Promise<number> {
  const read = ({ screen }: PlainPerson) =>
    screen.page.evaluate(`${media}.currentTime * 1000 - (performance.timeOrigin + performance.now())`);
  const [a, b] = await Promise.all([read(host), read(guest)]);
  return Number(b) - Number(a);
}

async function expectTogether(host: PlainPerson, guest: PlainPerson): Promise<void> {
  for (const { screen } of [host, guest]) await screen.until(isHeard, whyNotHeard);
  await expect.poll(async () => Math.abs(await spreadMs(host, guest))).toBeLessThan(250);
}

/** Play, pause and seek. */
export async function listenTogetherPlainly(
  host: PlainPerson,
  guest: PlainPerson,
  kind: RoomKind,
  track: string,
): Promise<void> {
  await host.screen.fill(kindWords[kind].search, track);
  await host.screen.type(keys.enter);
  await host.screen.press('button', track);
  await expectTogether(host, guest);

  await host.screen.press('button', 'Pause');
  await guest.screen.until(`${media}.paused`);
  // Paused and from the beginning: however slow the machine, no end of the track comes between.
  await host.screen.focus('slider', 'Seek');
  await host.screen.type(keys.home);
  await guest.screen.until(`${media}.currentTime < 1`);
  await host.screen.type(keys.right.repeat(4));
  await guest.screen.until(`${media}.currentTime > 15`);
  await host.screen.press('button', 'Play');
  await expectTogether(host, guest);

  await host.screen.focus('slider', 'Seek');
  await host.screen.type(keys.home);
  await guest.screen.until(`${media}.currentTime < 15`);
  await expectTogether(host, guest);
}

/**
 * The host's track ends while the guest's page is hidden: the next one plays there, and the two are together after it.
 */
export async function goOnHiddenPlainly(
  host: PlainPerson,
  guest: PlainPerson,
  hide: () => Promise<() => Promise<void>>,
): Promise<void> {
  await host.screen.press('field', 'Go on with Suggested');
  const first = JSON.stringify(await guest.screen.page.evaluate(`${media}.currentSrc`));
  const show = await hide();
  await guest.screen.until(`document.visibilityState === 'hidden'`);
  await host.screen.focus('slider', 'Seek');
  await host.screen.type(keys.end);
  await guest.screen.until(`${media}.currentSrc !== ${first}`);
  await guest.screen.until(`${isHeard} && ${media}.currentTime > 1`, whyNotHeard);
  await guest.screen.until(`document.visibilityState === 'hidden'`);
  await show();
  await guest.screen.until(`document.visibilityState === 'visible'`);
  await expectTogether(host, guest);
}

/** Each writes once, and the other reads it. */
export async function talkPlainly(host: PlainPerson, guest: PlainPerson): Promise<void> {
  for (const [speaker, listener] of [
    [host, guest],
    [guest, host],
  ] as const) {
    const words = `Hello from ${speaker.name}`;
    await sayPlainly(speaker, words);
    await listener.screen.says(words);
  }
}

/** Writes into the room's chat, and returns to the room. */
export async function sayPlainly({ screen }: PlainPerson, words: string): Promise<void> {
  await screen.press('button', 'Click here to Start Chat');
  await screen.fill('Message', words);
  await screen.type(keys.enter);
  await screen.until(`[...document.querySelectorAll('textarea')].every(({ value }) => value === '')`);
  await screen.press('button', 'Click here to Return Room');
}

const uid = `fetch('/api/session').then((answer) => answer.json()).then(({ value }) => value.user.uid)`;
const entry = (words: string): string =>
  `[...document.querySelectorAll('[role="article"]')].find((one) => one.textContent.includes(${JSON.stringify(words)}))`;

/**
 * In their private chat: an answer, an edit, a reaction and a deletion, each by keys, and what the other sees of it;
 * then what is done while the server is away.
 */
export async function chatPlainly(mara: PlainPerson, theo: PlainPerson, server: ServerProcess): Promise<void> {
  const { url } = server;
  const [hers, his] = [mara.screen, theo.screen];
  const [maraUid, theoUid] = [await hers.page.evaluate(uid), await his.page.evaluate(uid)];
  await hers.page.goto(`${url}/chat/${String(theoUid)}`);
  await his.page.goto(`${url}/chat/${String(maraUid)}`);
  await writePlainly(hers, 'Which take, the slow one?');
  await focusEntry(his, 'Which take');
  await his.type('r');
  await his.says(`Reply to ${mara.name}`);
  await writePlainly(his, 'The slow one, always');
  await hers.until(`${entry('The slow one, always')}?.textContent.includes('Which take')`);

  await his.focus('field', 'Message');
  await his.type(keys.up);
  await his.says('Edit message');
  await his.type(`, at nine${keys.enter}`);
  await hers.until(`${entry('always, at nine')}?.textContent.includes('edited')`);

  await focusEntry(hers, 'always, at nine');
  await hers.type(keys.enter);
  await hers.press('button', 'Fire');
  await his.has('button', `Fire by ${mara.name}`);

  await focusEntry(hers, 'Which take');
  await hers.type(keys.enter);
  await hers.press('button', 'Delete for both');
  await hers.press('button', 'Delete for both');
  await his.until(`!${entry('Which take')} && ${entry('Message deleted')}`);

  await server.kill();
  await writePlainly(his, 'Written in a tunnel');
  await his.until(`${entry('Written in a tunnel')}?.textContent.includes('Sending')`);
  await focusEntry(hers, 'always, at nine');
  await hers.type(keys.enter);
  await hers.press('button', 'Fire');
  await writePlainly(hers, 'Written meanwhile');
  await server.restart();
  for (const screen of [hers, his]) {
    for (const words of ['Written in a tunnel', 'Written meanwhile', 'always, at nine'])
      await screen.until(`${countOf(words)} === 1 && !${entry(words)}.textContent.includes('Sending')`);
    await screen.until(`!document.body.innerText.includes('Sending')`);
  }
  await his.until(`![...document.querySelectorAll('button')].some((one) => one.ariaLabel?.startsWith('Fire by'))`);
}

const countOf = (words: string): string =>
  `[...document.querySelectorAll('[role="article"]')].filter((one) => one.textContent.includes(${JSON.stringify(words)})).length`;

async function writePlainly(screen: PlainScreen, words: string): Promise<void> {
  await screen.fill('Message', words);
  await screen.type(keys.enter);
}

async function focusEntry(screen: PlainScreen, words: string): Promise<void> {
  await screen.until(`(one => one && (one.focus(), document.activeElement === one))(${entry(words)})`);
}
