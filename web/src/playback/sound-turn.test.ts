import { expect, test } from 'vitest';
import { createSoundTurn, type SoundTurn, type TurnChannel } from './device-sound.ts';

/** A browser whose tabs hear each other, each with a clock of its own. */
function createBrowser() {
  const tabs: { hear: (message: unknown) => void }[] = [];
  let now = 0;
  return {
    at: (ms: number) => (now = ms),
    open(id: string): SoundTurn {
      const self = { hear: (_message: unknown): void => undefined };
      const channel: TurnChannel = {
        listen: (hear) => (self.hear = hear),
        send(message) {
          for (const other of tabs) if (other !== self) other.hear(message);
        },
      };
      tabs.push(self);
      return createSoundTurn(channel, () => now, id);
    },
  };
}
const sounding = (...tabs: SoundTurn[]): number => tabs.filter(({ isElsewhere }) => !isElsewhere.get()).length;

test('of several tabs the one that claimed the sound last sounds', () => {
  const browser = createBrowser();
  const [first, second] = [browser.open('a'), browser.open('b')];
  first.claim();
  expect([first.isElsewhere.get(), second.isElsewhere.get()]).toEqual([false, true]);
  browser.at(1);
  second.claim();
  expect([first.isElsewhere.get(), second.isElsewhere.get()]).toEqual([true, false]);
  browser.at(2);
  first.claim();
  expect([first.isElsewhere.get(), second.isElsewhere.get()]).toEqual([false, true]);
});

test('a tab alone sounds, and a tab that is opened beside a sounding one does not before it claims', () => {
  const browser = createBrowser();
  const first = browser.open('a');
  expect(first.isElsewhere.get()).toBe(false);
  first.claim();
  expect(browser.open('b').isElsewhere.get()).toBe(true);
});

test('tabs that claim at the same moment agree on one', () => {
  const browser = createBrowser();
  const tabs = ['a', 'b', 'c'].map((id) => browser.open(id));
  for (const tab of tabs) tab.claim();
  expect(sounding(...tabs)).toBe(1);
});

test('of the tabs that are left, one sounds', () => {
  const browser = createBrowser();
  const tabs = ['a', 'b', 'c'].map((id, at) => {
    browser.at(at);
    const tab = browser.open(id);
    tab.claim();
    return tab;
  });
  const [first, second, third] = tabs as [SoundTurn, SoundTurn, SoundTurn];
  third.release();
  expect(sounding(first, second)).toBe(1);
});

test('a tab that was silent and closes changes nothing', () => {
  const browser = createBrowser();
  const [first, second] = [browser.open('a'), browser.open('b')];
  second.claim();
  browser.at(1);
  first.claim();
  second.release();
  expect(first.isElsewhere.get()).toBe(false);
});

test('after the clock of the device was set back, the tab that the user goes to sounds all the same', () => {
  const browser = createBrowser();
  browser.at(3_600_000);
  const [first, second] = [browser.open('a'), browser.open('b')];
  first.claim();
  browser.at(0);
  second.claim();
  expect([first.isElsewhere.get(), second.isElsewhere.get()]).toEqual([true, false]);
  browser.at(1);
  first.claim();
  expect([first.isElsewhere.get(), second.isElsewhere.get()]).toEqual([false, true]);
});
