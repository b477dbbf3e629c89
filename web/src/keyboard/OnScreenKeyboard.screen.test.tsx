import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../testing/screens/browser.ts';
import { ok, silence, type FakeServer } from '../../testing/screens/fake-server.ts';
import { button, field, gone, shown } from '../../testing/screens/find.ts';
import { middleOf, putFingerOn } from '../../testing/screens/fingers.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, ivoUid } from '../../testing/screens/people.ts';
import { keyboardChoice } from '../messages/WritingField.tsx';

beforeEach(() => keyboardChoice.set('on-screen'));

const keyboard = (): Locator => page.getByRole('group', { name: /^Keyboard/ });
const key = (name: string): Locator => keyboard().getByRole('button', { name });
const press = async (...names: string[]): Promise<void> => {
  for (const name of names) await key(name).click();
};

async function openChat(): Promise<FakeServer> {
  const { server } = await openPage(`/chat/${ivoUid}`, {
    prepare: (stand) => {
      stand.on('chats/open', () => ok(aConversation('Ivo')));
      stand.on('chats/send', silence);
    },
  });
  await field('Message').click();
  return server;
}

async function openKeyboard(): Promise<FakeServer> {
  await lookOnPhone();
  const server = await openChat();
  await shown(keyboard());
  return server;
}

test('the keyboard is shown on a small screen while the message field has the focus', async () => {
  await openKeyboard();
  await expect.element(field('Message')).toHaveAttribute('inputmode', 'none');
  (document.activeElement as HTMLElement).blur();
  await gone(keyboard());
});

test('a wide screen with a mouse shows no keyboard', async () => {
  await openChat();
  await gone(keyboard());
  await gone(button('On-screen keyboard'));
});

test('its keys are in their order where the language runs from right to left', async () => {
  document.documentElement.dir = 'rtl';
  onTestFinished(() => document.documentElement.removeAttribute('dir'));
  await openKeyboard();
  const left = (name: string): number => key(name).element().getBoundingClientRect().left;
  expect(left('q')).toBeLessThan(left('p'));
});

test('each key press vibrates for 50 ms', async () => {
  const vibrate = vi.spyOn(navigator, 'vibrate');
  await openKeyboard();
  await press('a', 'Backspace');
  expect(vibrate.mock.calls).toEqual([[50], [50]]);
  vibrate.mockRestore();
});

test('types letters, numbers, symbols, emoji and spaces, deletes, and sends with Enter', async () => {
  const server = await openKeyboard();
  await press('Shift', 'H', 'i', 'Space', '123 numbers', '7', '#+= symbols', '€', 'ABC letters', 'Emoji', '🎧');
  await expect.element(field('Message')).toHaveValue('Hi 7€🎧');
  await press('Backspace', 'ABC letters', 'Enter');
  await expect.element(field('Message')).toHaveValue('');
  expect(server.asked('chats/send')).toMatchObject([{ text: 'Hi 7€' }]);
});

test('shift pressed twice is locked, and its label shows it', async () => {
  await openKeyboard();
  await press('Shift', 'Shift');
  await expect.element(key('Shift, locked')).toHaveAttribute('aria-pressed', 'true');
  await press('A', 'B');
  await expect.element(field('Message')).toHaveValue('AB');
  await press('Shift, locked', 'c');
  await expect.element(field('Message')).toHaveValue('ABc');
});

test('backspace that is held keeps deleting until it is released', async () => {
  await openKeyboard();
  await field('Message').fill('a long line of words');
  const { x, y } = middleOf(key('Backspace').element());
  const lift = await putFingerOn(x, y);
  await expect.element(field('Message')).toHaveValue('');
  await lift();
  await field('Message').fill('another');
  await press('s');
  await expect.element(field('Message')).toHaveValue('anothers');
});

test('a screen reader can press keys without a pointer', async () => {
  await openKeyboard();
  for (const name of ['a', 'b', 'Backspace']) (key(name).element() as HTMLElement).click();
  await expect.element(field('Message')).toHaveValue('a');
});

test.each(['ABC letters', '123 numbers', '#+= symbols', 'Emoji'])(
  'each key of %s is named by what stands on it, and the panel can be read by all',
  async (panel) => {
    await openKeyboard();
    if (panel === '#+= symbols') await press('123 numbers');
    if (panel !== 'ABC letters') await press(panel);
    await expectAccessible('this');
  },
);

test("switches to the device's keyboard and back, and remembers the choice", async () => {
  await openKeyboard();
  await press('Use this device’s keyboard');
  await gone(keyboard());
  await expect.element(field('Message')).not.toHaveAttribute('inputmode', 'none');
  await expect.element(field('Message')).toHaveFocus();
  expect(localStorage.getItem('tunemate/keyboard')).toBe('device');
  await button('On-screen keyboard').click();
  await shown(keyboard());
});
