/** A power cut while people talk: no message is lost or doubled, sessions hold, and members need no new approval. */
import { expect } from '@playwright/test';
import { isPlaying, listen, type Person, playFromLibrary, write } from './person.ts';
import { comeTogether } from './room-story.ts';
import { test } from './with-server.ts';

const before = Array.from({ length: 8 }, (_, n) => `before the cut ${String(n)}`);
const during = Array.from({ length: 4 }, (_, n) => `during the cut ${String(n)}`);

async function openChat({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Click here to Start Chat' }).click();
}

test('after kill -9 every message is there once and the guest is back without approval', async ({ member, server }) => {
  const [host, guest] = [await member('Mara'), await member('Ivo')];
  await comeTogether(host, guest, 'audio', 'Power Cut');
  await playFromLibrary(host, 'audio', 'Sunday Kitchen');
  await expect.poll(() => isPlaying(guest)).toBe(true);
  await openChat(guest);
  await openChat(host);
  for (const words of before) await write(guest.page, words);
  await server.kill();
  for (const words of during) await write(guest.page, words);
  expect(await isPlaying(guest)).toBe(true);
  await server.restart();
  for (const person of [host, guest]) {
    const log = person.page.getByRole('log', { name: 'Chat' });
    for (const words of [...before, ...during]) {
      await expect(log.getByText(words, { exact: true }), `${person.name} reads ${words}`).toHaveCount(1);
    }
  }
  const said = await host.page.getByRole('log', { name: 'Chat' }).innerText();
  const order = [...before, ...during].map((words) => said.indexOf(words));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  await guest.page.reload();
  await listen(guest);
  await expect(guest.page.getByRole('heading', { name: 'Power Cut' })).toBeVisible();
  await expect.poll(() => isPlaying(guest)).toBe(true);
});
