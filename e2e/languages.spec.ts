/** The pages, mails and rooms in the languages of the people who read them. */
import { expect, type Page } from '@playwright/test';
import { waitForMail } from '@tunemate/testkit/services/outbox';
import { textFaults } from '@tunemate/testkit/browsers/text-faults';
import { isRightToLeft } from '../web/languages/translate.mjs';
import { catalogues, englishFinder, inLanguage } from './language-story.ts';
import { haveAccount, isPlaying, password, type Person, visitor } from './person.ts';
import { test } from './with-server.ts';

/** The room and the tracks of an evening. */
const eveningWords = 'Ivo Radio Library Sunday Kitchen Walking Home Paper Lanterns Rain the Tram'.split(' ');

/** Controls that something else covers even where the page scrolls them to the middle. */
const coveredOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const covered: string[] = [];
    for (const control of document.querySelectorAll<HTMLElement>('main button, main a, main input, main textarea')) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('[inert]')) continue;
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, top, width, height } = control.getBoundingClientRect();
      const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
      const isIt = onTop !== null && (control.contains(onTop) || onTop.contains(control));
      // A radio button or a switch lies under its own label.
      if (width > 1 && !isIt && onTop?.closest('label')?.contains(control) !== true)
        covered.push(
          `${control.tagName} ${control.ariaLabel ?? control.innerText}, by ${onTop?.outerHTML.slice(0, 100) ?? 'nothing'}`,
        );
    }
    scrollTo(0, 0);
    return covered;
  });

/** On a busy machine a part of a page, or its styles, come after its heading: until then a text may be cut. */
const soon = (faults: () => Promise<string[]>, message: string) =>
  expect.configure({ soft: true }).poll(faults, { message });

const outside = ['/login', '/signup', '/login?reset', '/join?code=ABC234', '/nowhere'];
const accountParts = ['signIn', 'privacy', 'look', 'notifications', 'data'].map((part) => `/account#${part}`);
const inside = [
  ...[
    '/',
    '/chats',
    '/notifications',
    '/account',
    ...accountParts,
    '/soulmate',
    '/create',
    '/join',
    '/create-audio-room',
  ],
  ...['/join-audio-room', '/share?text=ABC234', '/library/lib_0123456789abcdef'],
];

for (const { language, catalogue } of catalogues) {
  test(`no screen in ${language} shows English, or cuts a text`, async ({ browser, server }) => {
    const englishOn = englishFinder({ catalogue });
    const sentences = new Set(catalogue.values());
    const person = await visitor(browser, server.url, `Vera ${language}`, 'reduce', 'block', { locale: language });
    const { page } = person;
    const look = async (path: string): Promise<void> => {
      await page.goto(path);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('h1').first()).toBeVisible();
      await soon(() => englishOn(page), `${path} in English`).toEqual([]);
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await soon(() => textFaults(page, sentences), `${path} at ${String(width)} px`).toEqual([]);
      }
    };
    for (const path of outside) await look(path);
    const direction = await page.evaluate(() => getComputedStyle(document.body).direction);
    expect(direction).toBe(isRightToLeft(language) ? 'rtl' : 'ltr');
    await haveAccount(person, server);
    for (const path of inside) await look(path);
    expect(person.complaints).toEqual([]);
  });
}

test('a language is chosen once, and the mail comes in it', async ({ browser, server }) => {
  const german = (english: string) => inLanguage('de', english);
  const { page, complaints } = await visitor(browser, server.url, 'Ida', 'reduce', 'block', { locale: 'fr-FR' });

  await test.step('a browser whose languages there are not gets English, and the choice by its own name', async () => {
    await page.goto('/login');
    await expect(page.getByRole('heading', { name: 'Hear the same second' })).toBeVisible();
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await expect(page.getByRole('heading', { name: german('Hear the same second') })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  });

  await test.step('the sign-up, its mail and the page of its link are in the language', async () => {
    await page.getByRole('link', { name: german('Create Account') }).click();
    await page.getByLabel(german('Name'), { exact: true }).fill('Ida');
    await page.getByLabel(german('Email'), { exact: true }).fill('ida@example.test');
    await page.getByLabel(german('Password'), { exact: true }).fill(password);
    await page.getByRole('button', { name: german('Create Account') }).click();
    await expect(page.getByText(german('Verification Email Sent!'))).toBeVisible();
    const mail = await waitForMail(`${server.dataDir}/outbox`, 'ida@example.test');
    expect(mail.subject).toBe('Bestätige deine E-Mail-Adresse für Tunemate');
    await page.goto(mail.links[0] ?? '');
    await page.getByRole('button', { name: german('Verify Email') }).click();
    await page.getByRole('link', { name: german('Go to Home') }).click();
    await expect(page.getByRole('heading', { name: 'Ida', level: 1 })).toBeVisible();
    await expect(page.getByText(german('Three things to do first'))).toBeVisible();
  });

  await test.step('another one is chosen in the account, and mirrors the page', async () => {
    await page.goto('/account#look');
    await page.getByRole('radio', { name: 'العربية' }).click();
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(page.getByRole('heading', { name: inLanguage('ar', 'Look and language'), level: 1 })).toBeVisible();
  });
  expect(complaints).toEqual([]);
});

for (const language of ['ar', 'de']) {
  test(`an evening of host and guest on phones in ${language}: no English, nothing cut, nothing covered`, async ({
    browser,
    server,
  }) => {
    const catalogue = catalogues.find((one) => one.language === language)?.catalogue ?? new Map<string, string>();
    const say = (english: string) => inLanguage(language, english);
    const comes = async (name: string): Promise<Person> => {
      const device = { locale: language, viewport: { width: 390, height: 844 } };
      const person = await visitor(browser, server.url, name, 'reduce', 'block', device);
      await haveAccount(person, server);
      return person;
    };
    const [host, guest] = [await comes('Vera'), await comes('Ivo')];
    const press = ({ page }: Person, name: string) => page.getByRole('button', { name }).first().click();

    await host.page.goto('/create-audio-room');
    await host.page.getByLabel(say('Room name')).fill('Kitchen Radio');
    await press(host, say('Create Room'));
    await host.page.getByRole('link', { name: say('Enter Room') }).click();
    await expect(host.page.getByRole('heading', { name: 'Kitchen Radio', level: 1 })).toBeVisible();
    const code = new URL(host.page.url()).pathname.split('/').at(-1) ?? '';
    const englishOn = englishFinder({ catalogue }, eveningWords);
    const look = async (where: string): Promise<void> => {
      for (const { page, name } of [host, guest]) {
        await soon(() => englishOn(page), `${where}: ${name} reads English`).toEqual([]);
        await soon(() => textFaults(page, new Set(catalogue.values())), `${where}: cut for ${name}`).toEqual([]);
        await soon(() => coveredOn(page), `${where}: covered for ${name}`).toEqual([]);
      }
    };
    await guest.page.goto(`/join-audio-room?code=${code}`);
    await press(guest, say('Join Session'));
    await expect(guest.page.getByRole('heading', { name: say('Waiting for Host Approval...') })).toBeVisible();
    await expect(host.page.getByRole('button', { name: say('Accept') }).first()).toBeVisible();
    // The banner lies over the page for five seconds.
    await expect(host.page.getByText(say('New Join Request from'))).toHaveCount(0);
    await look('a request');
    await press(host, say('Accept'));
    await expect(guest.page.getByRole('heading', { name: 'Kitchen Radio', level: 1 })).toBeVisible();

    await playFromCard(host);
    await expect.poll(() => isPlaying(guest)).toBe(true);
    await look('a track plays');
    for (const [person, words] of [
      [host, '\u05d0\u05d1 12'],
      [guest, '\u0645\u0631\u062d\u0628\u0627 34'],
    ] as const) {
      await press(person, say('Click here to Start Chat'));
      await person.page.getByRole('textbox', { name: say('Message') }).fill(words);
      await person.page.keyboard.press('Enter');
    }
    await expect(host.page.getByText('\u0645\u0631\u062d\u0628\u0627 34').first()).toBeVisible();
    await look('an open chat');
    await press(guest, say('Click here to Return Room'));
    await press(guest, say('Leave'));
    await guest.page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('Leave') })
      .click();
    await expect(guest.page.getByRole('heading', { name: 'Ivo', level: 1 })).toBeVisible();
    await look('the guest has left');
    expect([...host.complaints, ...guest.complaints]).toEqual([]);
  });
}

/** The first of the tracks that an empty room offers. */
async function playFromCard({ page }: Person): Promise<void> {
  await page
    .getByRole('button', { name: /Sunday Kitchen/ })
    .first()
    .click();
}
