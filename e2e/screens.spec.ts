/**
 * Every screen of people who have used Tunemate for a while, and every dialog, sheet and menu, in each language: no
 * text is cut or lies over another, and none is English. The pages of a new user are in `languages.spec.ts`.
 */
import { type Browser, expect, type Page } from '@playwright/test';
import { fillEvening, type Evening } from '@tunemate/testkit/demo/evening';
import { textFaults } from '@tunemate/testkit/browsers/text-faults';
import type { ServerProcess } from '@tunemate/testkit/services/process';
import { valueOf } from '@tunemate/testkit/answers';
import { createHttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { languages } from '../web/languages/translate.mjs';
import { catalogues, englishFinder, inLanguage } from './language-story.ts';
import { writeYear } from './music-story.ts';
import { haveSession, kindWords, type Person, visitor } from './person.ts';
import { test } from './with-server.ts';

const phone = { width: 390, height: 844 };
const wide = { width: 1280, height: 800 };
/** The last is the one in which the page is used: each change draws it anew. */
const sizes: readonly { width: number; height: number }[] = [wide, { width: 320, height: 640 }, phone];
const phones = sizes.slice(1);
/** The host of the film, who may do most; a guest with a soulmate; all names; the words of a link. */
const names = 'Mira Jonas Ada Tom Lena Noor Saturday film night Kitchen records join code Radio'.split(' ');
const songs = ['Walking Home', 'Velvet Hour', 'Left Hand Only', 'Northbound', 'A Song for Every Window of this Street'];

/** One person in one language, who looks at what is open. */
class Screens {
  readonly page: Page;
  readonly #language: string;
  readonly #english: (page: Page) => Promise<string[]>;
  readonly #sentences: ReadonlySet<string>;

  constructor({ page }: Person, language: string) {
    this.page = page;
    this.#language = language;
    const catalogue = catalogues.find((one) => one.language === language)?.catalogue;
    this.#sentences = new Set(catalogue?.values() ?? catalogues[0]?.catalogue.keys());
    this.#english = catalogue === undefined ? async () => [] : englishFinder({ catalogue }, names);
  }

  say(english: string): string {
    return this.#language === 'en' ? english : inLanguage(this.#language, english);
  }

  /** The first button in sight with this name. */
  button(english: string) {
    return this.page
      .getByRole('button', { name: this.say(english), exact: true })
      .filter({ visible: true })
      .first();
  }

  /** The first text in sight that begins so. */
  text(words: string) {
    return this.page
      .getByText(new RegExp(`^${words}`, 'u'))
      .filter({ visible: true })
      .first();
  }

  /** The dialog over all others. */
  top() {
    return this.page.locator('dialog:modal').last();
  }

  /** The button of a dialog that does what it asks; its name may hold a person's. */
  act() {
    return this.top().getByRole('button').last();
  }

  async go(path: string): Promise<void> {
    await this.page.setViewportSize(phone);
    await this.page.goto(path);
    await expect(this.page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  }

  /** `open` brings it back where a change of size has closed it. */
  async look(where: string, at = sizes, open?: () => Promise<void>): Promise<void> {
    for (const size of at) {
      await this.page.setViewportSize(size);
      if (open && (await this.page.locator('dialog:modal').count()) === 0) await open();
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      expect.soft(await textFaults(this.page, this.#sentences), `${where} at ${String(size.width)} px`).toEqual([]);
    }
    expect.soft(await this.#english(this.page), `${where} in English`).toEqual([]);
    await this.page.setViewportSize(phone);
  }

  /** Opens a dialog, looks at it, and closes it unless something is to be pressed in it. */
  async dialog(where: string, press: () => Promise<void>, then?: () => Promise<void>, at = sizes): Promise<void> {
    const open = async (): Promise<void> => {
      await press();
      await expect(this.top()).toBeVisible();
    };
    await open();
    await this.look(where, at, open);
    if (then) {
      if ((await this.page.locator('dialog:modal').count()) === 0) await open();
      await then();
    }
    await this.close();
  }

  async close(): Promise<void> {
    await expect(async () => {
      await this.page.keyboard.press('Escape');
      await expect(this.page.locator('dialog:modal')).toHaveCount(0, { timeout: 200 });
    }).toPass();
  }
}

async function comes(browser: Browser, server: ServerProcess, language: string, name: string, cookie: string) {
  const person = await visitor(browser, server.url, name, 'reduce', 'block', { locale: language, viewport: phone });
  await haveSession(person.context, server.url, cookie);
  return { person, screens: new Screens(person, language) };
}

const paths = ['/', '/chats', '/share?text=ABC234'];

async function lookAtHome(screens: Screens): Promise<void> {
  for (const path of paths) {
    await screens.go(path);
    await screens.look(path);
  }
  await screens.go('/');
  await screens.button('Menu').click();
  await screens.top().getByRole('button', { name: /^Mira/ }).click();
  await screens.look('the menu', phones);
  const remove = () =>
    screens
      .top()
      .getByRole('button', { name: screens.say('Remove'), exact: true })
      .click();
  await screens.dialog('a tunemate to be removed', remove, undefined, phones);
}

async function lookAtChats(screens: Screens): Promise<void> {
  const { page } = screens;
  await screens.go('/chats');
  await screens.dialog('a new chat', () => screens.button('New chat').click());
  await screens.go('/chats/search');
  await screens.look('a search');
  await page.getByRole('search').getByRole('textbox').fill('film');
  await expect(page.getByText('Jonas').first()).toBeVisible();
  await screens.look('what a search found');
  await screens.go('/chats');
  await page.getByRole('link', { name: /Jonas/ }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
  await screens.look('a chat');
  await screens.dialog(
    'a person',
    () => screens.button('More').click(),
    async () => {
      await screens.button('Report').click();
      await expect(screens.top().locator('textarea, input').first()).toBeVisible();
      await screens.look('a report', phones);
    },
  );
  await screens.dialog('what can be done with a message', async () => {
    await page.getByRole('article').last().focus();
    await page.keyboard.press('Enter');
  });
  await page.getByRole('article').last().press('r');
  await screens.look('a reply');
  await page.setViewportSize(wide);
  await screens.button('Emoji').click();
  await expect(page.locator('[data-emoji-grid]')).toBeVisible();
  await screens.look('emoji', [wide]);
}

async function lookAtRoom(screens: Screens, path: string, isHost: boolean): Promise<void> {
  const { page } = screens;
  const who = isHost ? 'the host' : 'a guest';
  await screens.go(path);
  await expect(page.getByRole('slider').first()).toBeVisible();
  await screens.look(`the room of ${who}`);
  await screens.dialog(`the invitation by ${who}`, () => screens.button('Invite').click());
  await screens.dialog(
    `the sound of ${who}`,
    () => screens.button('Sound and sync').click(),
    async () => {
      await screens.button('Start ticking').click();
      await screens.look('ticks', phones);
    },
  );
  await screens.dialog(`the keys of ${who}`, () => page.keyboard.press('?'));
  await screens.dialog(`saved queues of ${who}`, () => screens.button('Saved queues').click());
  await screens.dialog(`a person for ${who}`, () =>
    page
      .getByRole('button', { name: /Jonas$/ })
      .filter({ visible: true })
      .last()
      .click(),
  );
  await screens.dialog(`leaving of ${who}`, () => screens.button('Leave').click());
  if (isHost) {
    await screens.dialog('settings', () => screens.button('Room settings').click());
    await page.setViewportSize(wide);
    await screens.button('Wide view').click();
    await screens.look('wide view', [wide]);
    await page.setViewportSize(wide);
    await page.getByRole('button', { name: screens.say('Leave wide view') }).click();
    await page.setViewportSize(phone);
  }
  await screens.button('Library').click();
  await expect(screens.text('Harbour Sessions')).toBeVisible();
  await screens.look(`the library of ${who}`);
  await screens.button('Newest').click();
  await screens.look(`the newest tracks for ${who}`);
  await page.getByRole('searchbox').first().fill('Paper');
  await page.keyboard.press('Enter');
  await expect(screens.text('Paper Lanterns')).toBeVisible();
  await screens.look(`what ${who} found`);
  await screens.button('Click here to Start Chat').click();
  await page.getByRole('article').last().focus();
  await page.keyboard.press('Enter');
  await expect(screens.button('Copy')).toBeVisible();
  await screens.look(`the chat of ${who}`, phones);
}

/** What the two heard together in a year, and whether to keep what is heard with a person of whom nothing is kept. */
async function lookAtMusic(screens: Screens, path: string, ofNothing: string): Promise<void> {
  await screens.go(path);
  await expect(screens.text(songs[0] ?? '')).toBeVisible();
  await screens.look('our music');
  await screens.dialog('all to be forgotten', () => screens.button('Forget it all').click());
  await screens.go(`${path}/blend`);
  await screens.look('a blend');
  await screens.go(`${path}/year`);
  await expect(screens.button('Keep as a picture')).toBeVisible();
  await screens.look('a year of two');
  await screens.go(ofNothing);
  await screens.look('whether to keep it');
}

/** The host lends the remote to the guest, who pauses. */
async function lookAtRemote(host: Screens, guest: Screens, path: string): Promise<void> {
  // Chat and library that were opened before cover the keys on phones.
  for (const screens of [host, guest]) await screens.go(path);
  const lend = () => host.top().getByRole('button', { name: new RegExp(`^${host.say('Lend the remote')}`, 'u') });
  await host.dialog(
    'a person to lend the remote to',
    () => host.page.getByRole('button', { name: /Ada/ }).filter({ visible: true }).last().click(),
    () => lend().click(),
  );
  await expect(guest.text(guest.say('You hold the remote'))).toBeVisible();
  await guest.look('the room of who holds the remote');
  await guest.button('Pause').click();
  await expect(host.button('Take the remote back')).toBeVisible();
  await host.look('a film that another person paused');
  await guest.look('the film that one paused');
  await host.button('Take the remote back').click();
  await expect(guest.button('Pause')).toHaveCount(0);
  await host.button('Play').click();
}

/** The host offers the room to the guest, who declines. */
async function lookAtHandOver(host: Screens, guest: Screens): Promise<void> {
  await host.dialog('who hosts next', async () => {
    await host.button('Leave').click();
    await host.top().getByRole('radio').last().check();
    await host.act().click();
  });
  await host.button('Leave').click();
  await host.top().getByRole('radio').last().check();
  await host.act().click();
  await host.top().getByRole('radio', { name: /Ada/ }).check();
  await host.act().click();
  await expect(guest.top()).toBeVisible();
  await host.look('an offer is made', phones);
  await guest.look('an offer', phones);
  await guest.button('No thanks').click();
  await expect(host.button('Choose again')).toBeVisible();
  await host.look('the offer is declined');
  await host.button('Stay').click();
}

for (const language of Object.keys(languages)) {
  test(`no text in ${language} is cut, over another, or English`, async ({ browser, server }) => {
    const evening: Evening = await fillEvening({ ...server, origin: server.url });
    const host = await comes(browser, server, language, 'Mira', evening.host.cookie);
    const guest = await comes(browser, server, language, 'Ada', evening.guest.cookie);
    const path = `${kindWords[evening.film.kind].path}${evening.film.code}`;
    const [{ uid: soulmate, cookie }, { uid }] = [evening.soulmate, evening.guest];
    const shower = createHttpVisitor(server.url, server.url);
    shower.setCookie(cookie);
    valueOf((await shower.call('PATCH /api/accounts/me', { hearingShownTo: 'tunemates' })).result);
    await writeYear(server.dataDir, [uid, soulmate], songs);
    await lookAtHome(guest.screens);
    await lookAtMusic(guest.screens, `/our-music/${soulmate}`, `/our-music/${evening.host.uid}`);
    await lookAtChats(guest.screens);
    await lookAtRoom(guest.screens, path, false);
    await lookAtRoom(host.screens, path, true);
    await lookAtRemote(host.screens, guest.screens, path);
    await lookAtHandOver(host.screens, guest.screens);
    await host.screens.go('/');
    await expect(host.screens.text(host.screens.say('Accept'))).toBeVisible();
    await host.screens.look('the bar of the room');
    await host.screens.dialog('who may be a soulmate', () => host.screens.button('Choose').click());
    evening.end();
    expect([...host.person.complaints, ...guest.person.complaints]).toEqual([]);
  });
}
