import { describe, expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { clientId, maraUid } from '../../testing/connection-fixtures.ts';
import { ok, silence, refused, type FakeServer } from '../../testing/screens/fake-server.ts';
import { button, field, gone, shown, words, focused, link, modal } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, aMessage, ivoUid, aConversationRow } from '../../testing/screens/people.ts';
import { still } from '../../testing/screens/settled.ts';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { restoreTypedText } from '../shell/page-life.ts';

describe('drafts', () => {
  const pause = (ms: number) => new Promise((later) => setTimeout(later, ms));
  const key = `tunemate/drafts/${maraUid}/${ivoUid}`;
  const entryOf = (one: unknown) => JSON.stringify({ place: 1, one });

  /** As another tab stores it. */
  function storeElsewhere(text: string | null): void {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, entryOf(text));
    window.dispatchEvent(new StorageEvent('storage', { key }));
  }

  test('a draft that another tab has sent or changed is so here, too', async () => {
    localStorage.setItem(key, entryOf('are you'));
    await openPage(`/chat/${ivoUid}`, { prepare: (server) => server.on('chats/open', () => ok(aConversation('Ivo'))) });
    await expect.element(field('Message')).toHaveValue('are you');
    storeElsewhere('are you there?');
    await expect.element(field('Message')).toHaveValue('are you there?');
    storeElsewhere(null);
    await expect.element(field('Message')).toHaveValue('');
  });

  test('a draft that is sent soon after a reload for an update does not come back', async () => {
    const typed = { path: `/chat/${ivoUid}`, fields: [{ place: 'Message', text: 'Half a reply' }] };
    sessionStorage.setItem('tunemate/typed-text', JSON.stringify(typed));
    localStorage.setItem(key, entryOf('Half a reply'));
    await openPage(`/chat/${ivoUid}`, {
      prepare: (server) => {
        server.on('chats/open', () => ok(aConversation('Ivo')));
        server.on('chats/typing', () => ok({}));
        server.on('chats/send', ({ clientId, text }) =>
          ok({ message: aMessage(ivoUid, 1, { sender: maraUid, clientId, text }) }),
        );
      },
    });
    restoreTypedText(sessionStorage);
    await expect.element(field('Message')).toHaveValue('Half a reply');
    await field('Message').click();
    await userEvent.keyboard('{Enter}');
    await shown(page.getByRole('log').getByText('Sent'));
    await expect.element(field('Message')).toHaveValue('');
  });

  /** As another tab stores it; the browser tells this one. */
  function storeUnsentElsewhere(clientId: string, unsent: object | null): void {
    const entryKey = `tunemate/outbox/${maraUid}/${clientId}`;
    if (unsent === null) localStorage.removeItem(entryKey);
    else localStorage.setItem(entryKey, entryOf(unsent));
    window.dispatchEvent(new StorageEvent('storage', { key: entryKey }));
  }

  test('a message that another tab could not send is so here, too, until that tab discards it', async () => {
    await openPage(`/chat/${ivoUid}`, {
      prepare: (server) => {
        server.on('chats/open', () => ok(aConversation('Ivo')));
        server.on('chats/send', silence);
      },
    });
    await field('Message').fill('from here');
    await userEvent.keyboard('{Enter}');
    await shown(words('from here'));
    const failure = { code: 'access/forbidden' };
    const there = { clientId: clientId(7), uid: ivoUid, text: 'from there', image: null, writtenAtMs: 1, failure };
    storeUnsentElsewhere(there.clientId, there);
    await shown(words('from there'));
    await shown(button('Retry'));
    storeUnsentElsewhere(there.clientId, null);
    await gone(words('from there'));
    await shown(words('from here'));
  });

  test('what another tab sends leaves the user where they read', async () => {
    const messages = Array.from({ length: 60 }, (_, index) => aMessage(ivoUid, index + 1));
    const marks = [{ uid: maraUid, deliveredUpTo: 60, readUpTo: 60 }];
    const { server } = await openPage(`/chat/${ivoUid}`, {
      prepare: (stand) => stand.on('chats/open', () => ok(aConversation('Ivo', { messages, marks }))),
    });
    await shown(words('message 60'));
    const log = page.getByRole('log').element();
    await expect.poll(() => log.scrollHeight - log.scrollTop - log.clientHeight).toBe(0);
    // The log keeps its end until its rows are measured.
    await still(() => log.scrollHeight);
    log.scrollTop = 100;
    await shown(button('Jump to newest'));
    // The other tab is in front.
    document.hasFocus = () => false;
    const other = { uid: ivoUid, name: 'Ivo' };
    server.tell({
      type: 'chats/messageSent',
      message: aMessage(ivoUid, 61, { sender: maraUid, text: 'there' }),
      other,
    });
    await pause(500);
    expect(log.scrollTop).toBeLessThan(400);
    document.hasFocus = () => true;
    server.tell({ type: 'chats/messageSent', message: aMessage(ivoUid, 62, { sender: maraUid, text: 'here' }), other });
    await shown(words('here'));
  });
});

describe('photos', () => {
  const image = { imageId: 'i1', width: 600, height: 400 };
  const photo = new File([new Uint8Array([1, 2, 3])], 'cat.png', { type: 'image/png' });
  const log = (): Locator => page.getByRole('log', { name: 'Messages' });

  async function openChat(prepare: (server: FakeServer) => void): Promise<FakeServer> {
    const opened = await openPage(`/chat/${ivoUid}`, {
      prepare: (server) => {
        server.on('chats/open', () => ok(aConversation('Ivo')));
        server.on('chats/send', ({ clientId, text }) =>
          ok({ message: aMessage(ivoUid, 1, { sender: maraUid, clientId, text, image }) }),
        );
        prepare(server);
      },
    });
    await shown(field('Message'));
    return opened.server;
  }

  const picker = (): HTMLInputElement => {
    const found = document.querySelector<HTMLInputElement>('input[type="file"]');
    if (found === null) throw new Error('there is nothing to pick a file with');
    return found;
  };

  /** As if the user had chosen the file in the browser's file dialog. */
  function pick(file: File): void {
    const input = picker();
    input.files = carrying(file).files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }

  function carrying(file: File): DataTransfer {
    const data = new DataTransfer();
    data.items.add(file);
    return data;
  }

  test('a picked photo is uploaded and sent, and a press on it opens it large', async () => {
    const uploaded = Promise.withResolvers<void>();
    const server = await openChat((stand) =>
      stand.onUpload(async () => {
        await uploaded.promise;
        return ok(image);
      }),
    );
    pick(photo);
    await shown(words('Sending the photo…'));
    await expectAccessible();
    uploaded.resolve();
    await expect.element(log().getByRole('img', { name: 'Photo' })).toBeInTheDocument();
    expect(server.asked('chats/send')).toMatchObject([{ uid: ivoUid, text: '', imageId: 'i1' }]);
    await gone(words('Sending the photo…'));
    await log().getByRole('button', { name: 'Photo' }).click();
    const view = page.getByRole('dialog', { name: 'Photo' });
    await focused(view.getByRole('button', { name: 'Close' }));
    await expectAccessible('all');
    await userEvent.keyboard('{Escape}');
    await gone(view);
  });

  test('a photo that is on its way is said so in its chat after the user has left it and come back', async () => {
    const uploaded = Promise.withResolvers<void>();
    await openChat((stand) => {
      stand.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo')] }));
      stand.onUpload(async () => {
        await uploaded.promise;
        return ok(image);
      });
    });
    pick(photo);
    await shown(words('Sending the photo…'));
    await link('Back').click();
    await link(/Ivo/).click();
    await shown(words('Sending the photo…'));
    uploaded.resolve();
    await gone(words('Sending the photo…'));
  });

  test.each([
    [
      'a file that is no image',
      new File(['text'], 'notes.txt', { type: 'text/plain' }),
      null,
      'Choose a JPEG, PNG or WebP picture.',
    ],
    [
      'a file that is too large',
      new File([new Uint8Array(6_000_000)], 'big.png', { type: 'image/png' }),
      null,
      'Choose a picture of at most 5 MB.',
    ],
    ['one that the server refuses', photo, 'access/forbidden', 'It can’t be delivered now.'],
  ] as const)('shows why %s was not sent', async (_what, file, code, sentence) => {
    await openChat((server) => {
      if (code !== null) server.onUpload(() => refused(code));
    });
    pick(file);
    await shown(modal('The photo to Ivo was not sent').getByText(sentence));
  });

  test('a photo that is pasted or dropped is sent too', async () => {
    const server = await openChat((stand) => stand.onUpload(() => ok(image)));
    const messageField = field('Message').element();
    messageField.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: carrying(photo), bubbles: true, cancelable: true }),
    );
    await expect.poll(() => server.asked('chats/send').length).toBe(1);
    const over = new DragEvent('dragover', { dataTransfer: carrying(photo), bubbles: true, cancelable: true });
    messageField.dispatchEvent(over);
    expect(over.defaultPrevented).toBe(true);
    messageField.dispatchEvent(
      new DragEvent('drop', { dataTransfer: carrying(photo), bubbles: true, cancelable: true }),
    );
    await expect.poll(() => server.asked('chats/send').length).toBe(2);
    const text = new DataTransfer();
    text.setData('text/plain', 'hello');
    messageField.dispatchEvent(new ClipboardEvent('paste', { clipboardData: text, bubbles: true, cancelable: true }));
    expect(server.asked('chats/send')).toHaveLength(2);
  });

  test('text that is dropped, or pasted from an office program with a picture of it, is text', async () => {
    const server = await openChat((stand) => stand.onUpload(() => ok(image)));
    const messageField = field('Message').element();
    const text = new DataTransfer();
    text.setData('text/plain', 'hello');
    const drop = new DragEvent('drop', { dataTransfer: text, bubbles: true, cancelable: true });
    messageField.dispatchEvent(drop);
    expect(drop.defaultPrevented).toBe(false);
    const cells = carrying(photo);
    cells.setData('text/rtf', '{\\rtf1 hello}');
    cells.setData('text/plain', 'hello');
    const paste = new ClipboardEvent('paste', { clipboardData: cells, bubbles: true, cancelable: true });
    messageField.dispatchEvent(paste);
    expect(paste.defaultPrevented).toBe(false);
    await gone(words('Sending the photo…'));
    expect(server.asked('chats/send')).toEqual([]);
  });

  test('the photo button opens the file picker', async () => {
    await openChat(() => undefined);
    let wasOpened = false;
    picker().addEventListener('click', (event) => {
      event.preventDefault();
      wasOpened = true;
    });
    await button('Add a photo').click();
    expect(wasOpened).toBe(true);
  });

  test('what arrives behind a picture is read once the picture is closed', async () => {
    const server = await openChat((stand) => {
      stand.on('chats/mark', () => ok({}));
      stand.on('chats/open', () => ok(aConversation('Ivo', { messages: [aMessage(ivoUid, 1, { text: '', image })] })));
    });
    const readUpTo = () => Math.max(0, ...server.asked('chats/mark').map((mark) => mark.readUpTo));
    await log().getByRole('button', { name: 'Photo' }).click();
    await expect.poll(readUpTo).toBe(1);
    server.tell({ type: 'chats/messageSent', message: aMessage(ivoUid, 2), other: { uid: ivoUid, name: 'Ivo' } });
    await expect.poll(() => server.asked('chats/mark').at(-1)?.deliveredUpTo).toBe(2);
    await new Promise((later) => setTimeout(later, 400));
    expect(readUpTo()).toBe(1);
    await userEvent.keyboard('{Escape}');
    await expect.poll(readUpTo).toBe(2);
  });
});
