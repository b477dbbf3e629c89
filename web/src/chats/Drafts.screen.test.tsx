import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { clientId, maraUid } from '../../testing/connection-fixtures.ts';
import { ok, silence } from '../../testing/screens/fake-server.ts';
import { button, field, gone, shown, words } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, aMessage, ivoUid } from '../../testing/screens/people.ts';

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
  // Rows are measured once they are drawn, and the log keeps its end meanwhile.
  await pause(500);
  log.scrollTop = 100;
  await shown(button('Jump to newest'));
  // The other tab is in front.
  document.hasFocus = () => false;
  const other = { uid: ivoUid, name: 'Ivo' };
  server.tell({ type: 'chats/messageSent', message: aMessage(ivoUid, 61, { sender: maraUid, text: 'there' }), other });
  await pause(500);
  expect(log.scrollTop).toBeLessThan(400);
  document.hasFocus = () => true;
  server.tell({ type: 'chats/messageSent', message: aMessage(ivoUid, 62, { sender: maraUid, text: 'here' }), other });
  await shown(words('here'));
});
