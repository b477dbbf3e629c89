/**
 * Every screen of the main story as it is built, against WCAG 2.2 AA, and at sizes that no test beside a screen has. All
 * looks of a screen are examined beside its source; here it is one, dark on a phone and light on a wide screen in turn.
 */
import { expect, type Page } from '@playwright/test';
import { roomKinds } from '@tunemate/protocol';
import { textFaults } from '@tunemate/testkit/browsers/text-faults';
import axe from 'axe-core';
import { createRoom, playFromLibrary, player, uidOf, visitor, write } from './person.ts';
import { tracks } from './room-story.ts';
import { test } from './with-server.ts';

const looks = [
  { colorScheme: 'dark', width: 390, height: 844 },
  { colorScheme: 'light', width: 1280, height: 800 },
] as const;

/** Until a frame of the new look is drawn, a colour with a transition is still that of the look before. */
async function transitionsToEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const ending = document
      .getAnimations()
      .filter(({ effect, playState }) => playState !== 'finished' && effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
  });
}

/** What axe finds in the page itself. Its builder for Playwright opens another page for each look. */
async function violationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, {
      resultTypes: ['violations'],
      runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] },
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  });
}

let examined = 0;

async function expectNothingToComplain(page: Page, where: string): Promise<void> {
  examined += 1;
  for (const [index, { colorScheme, width, height }] of looks.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await expectNoWiderThanWindow(page, where);
    if (index !== examined % looks.length) continue;
    expect(await violationsOn(page), `${where}, ${colorScheme}, ${String(width)} px`).toEqual([]);
  }
  // 1280 px at 400 % (WCAG 1.4.10), and text of twice the size (1.4.4).
  await page.setViewportSize({ width: 320, height: 256 });
  await expectNoWiderThanWindow(page, where);
  expect.soft(await textFaults(page), `${where} at 400 %`).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await expectNoWiderThanWindow(page, `${where} with large text`);
  expect.soft(await textFaults(page), `${where} with large text`).toEqual([]);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
}

async function expectNoWiderThanWindow(page: Page, where: string): Promise<void> {
  await transitionsToEnd(page);
  const wider = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const out: string[] = [];
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent?.trim() ?? '';
      if (text === '' || !texts.currentNode.parentElement?.checkVisibility()) continue;
      range.selectNodeContents(texts.currentNode);
      if (document.documentElement.scrollWidth > innerWidth && range.getBoundingClientRect().right > innerWidth) {
        out.push(text);
      }
    }
    return { overflow: document.documentElement.scrollWidth - innerWidth, out };
  });
  expect(wider.overflow, `${where} scrolls sideways, because of ${wider.out.join(' | ')}`).toBeLessThanOrEqual(0);
}

test('screens of a visitor', async ({ browser, server }) => {
  const { page } = await visitor(browser, server.url, 'Nobody');
  for (const path of ['/', '/login', '/signup', '/auth/action?mode=verifyEmail&oobCode=x', '/nowhere']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNothingToComplain(page, path);
  }
});

test('screens of a member, rooms included', async ({ member }) => {
  const person = await member('Lena');
  const { page } = person;
  for (const path of [
    '/',
    '/create',
    '/join',
    '/join-audio-room',
    '/notifications',
    '/chats',
    '/soulmate',
    '/account',
    '/account#signIn',
    '/account#privacy',
    '/account#look',
    '/account#notifications',
    '/account#data',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNothingToComplain(page, path);
  }
  for (const kind of roomKinds) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await createRoom(person, kind, 'Everything readable');
    await playFromLibrary(person, kind, tracks[kind]);
    await expect(player(person)).toBeAttached();
    await expectNothingToComplain(page, `${kind} room`);
    await page.getByRole('button', { name: 'Click here to Start Chat' }).click();
    await expectNothingToComplain(page, `${kind} room with its chat open`);
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await expect(page).toHaveURL('/');
  }
  expect(person.complaints).toEqual([]);
});

test('screens of two who write to each other', async ({ member }) => {
  const [noor, sami] = [await member('Noor'), await member('Sami')];
  const { page } = noor;
  // A person who was never answered sees no tick of the other's.
  await sami.page.goto(`/chat/${await uidOf(noor)}`);
  await write(sami.page, 'Good evening');
  await sami.page.goto('/');
  await page.goto(`/chat/${await uidOf(sami)}`);
  for (const words of ['Are you still up?', 'See https://example.org/tea']) {
    await write(page, words);
  }
  await expect(page.getByRole('log').getByText('Delivered')).toHaveCount(2);
  await expectNothingToComplain(page, 'a chat');
  await page.getByRole('button', { name: 'More' }).click();
  await expectNothingToComplain(page, 'what can be done in a chat');
  await page.keyboard.press('Escape');
  await sami.page.goto('/chats');
  await expect(sami.page.getByRole('link', { name: /Noor/ })).toBeVisible();
  await expectNothingToComplain(sami.page, 'a list of chats');
  await sami.page.getByRole('link', { name: /Noor/ }).click();
  await expect(sami.page.getByText('New messages')).toBeVisible();
  await expectNothingToComplain(sami.page, 'a chat with something new');
  expect([...noor.complaints, ...sami.complaints]).toEqual([]);
});
