import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { ok, silence, type FakeServer } from '../../testing/screens/fake-server.ts';
import { button, field, shown } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, ivoUid } from '../../testing/screens/people.ts';
import { openRoom } from '../../testing/screens/rooms.ts';

const asked = { private: 'chats/send', room: 'rooms/sendMessage' } as const;

const chats = {
  private: async (): Promise<FakeServer> => {
    const { server } = await openPage(`/chat/${ivoUid}`, {
      prepare(stand) {
        stand.on('chats/open', () => ok(aConversation('Ivo')));
        stand.on('chats/send', silence);
        stand.on('chats/typing', () => ok({}));
      },
    });
    return server;
  },
  room: async (): Promise<FakeServer> => {
    const { server } = await openRoom('audio', { prepare: (stand) => stand.on('rooms/sendMessage', silence) });
    await button('Click here to Start Chat').click();
    return server;
  },
};

async function open(chat: 'private' | 'room') {
  const server = await chats[chat]();
  await shown(field('Message'));
  await field('Message').click();
  const element = field('Message').element() as HTMLTextAreaElement;
  return { server, element, sent: () => server.asked(asked[chat]).map(({ text }) => text) };
}

test.each(['private', 'room'] as const)(
  'Shift+Enter begins a line and Enter sends all lines (%s chat)',
  async (chat) => {
    const { element, sent } = await open(chat);
    await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two');
    await expect.element(field('Message')).toHaveValue('one\ntwo');
    expect(sent()).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await expect.poll(sent).toEqual(['one\ntwo']);
    expect(element.value).toBe('');
  },
);

test('a text of invisible marks is not sent', async () => {
  const { sent } = await open('private');
  for (const blank of ['\u200B', '\u2800 \u2800', '\u202A\u202C', '\u00AD', '\u3164', '\n\u2060']) {
    document.execCommand('selectAll');
    document.execCommand('insertText', false, blank);
    await userEvent.keyboard('{Enter}');
  }
  document.execCommand('insertText', false, 'seen');
  await userEvent.keyboard('{Enter}');
  await expect.poll(sent).toHaveLength(1);
});

test.each(['private', 'room'] as const)('pasted lines stay lines (%s chat)', async (chat) => {
  const { sent } = await open(chat);
  // As a paste does; the clipboard itself is shared with the tests beside this one.
  document.execCommand('insertText', false, 'bread\nmilk\r\n\nhoney');
  await expect.element(field('Message')).toHaveValue('bread\nmilk\n\nhoney');
  await userEvent.keyboard('{Enter}');
  await expect.poll(sent).toEqual(['bread\nmilk\n\nhoney']);
});

test('the field grows with its text up to six lines', async () => {
  const { element } = await open('private');
  const heightOf = async (lines: number): Promise<number> => {
    await field('Message').fill(Array.from({ length: lines }, () => 'la').join('\n'));
    return element.getBoundingClientRect().height;
  };
  // Measured anew until typeface and window have arrived, which change the height of a line.
  await expect
    .poll(async () => {
      const [one, two, three] = [await heightOf(1), await heightOf(2), await heightOf(3)];
      const line = three - two;
      const six = await heightOf(6);
      const showsAll = element.scrollHeight <= element.clientHeight + 1;
      const most = await heightOf(20);
      return {
        ...{ hasLines: line > 15, grows: Math.abs(six - two - 4 * line) < 0.5, showsAll },
        ...{ ends: most < one + 6 * line, shrinks: (await heightOf(1)) === one },
      };
    })
    .toEqual({ hasLines: true, grows: true, showsAll: true, ends: true, shrinks: true });
});

test('Enter that ends the input of a word in another script sends nothing', async () => {
  const { element, sent } = await open('private');
  await field('Message').fill('にほん');
  const enter = { key: 'Enter', bubbles: true, cancelable: true };
  element.dispatchEvent(new KeyboardEvent('keydown', { ...enter, isComposing: true }));
  element.dispatchEvent(new KeyboardEvent('keydown', { ...enter, keyCode: 229 }));
  expect(sent()).toEqual([]);
  await expect.element(field('Message')).toHaveValue('にほん');
});
