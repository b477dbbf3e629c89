/**
 * Two people, one room, in sync: an audio room on one process with SQLite. The same story in a video room runs on two
 * processes with PostgreSQL (two-processes.spec.ts).
 */
import { expect } from '@playwright/test';
import { becomeMember, visitor } from './person.ts';
import { comeTogether, driftLine, listenTogether, part, reloadBoth } from './room-story.ts';
import { test } from './with-server.ts';

test('two people sign up, meet in an audio room, hear the same, talk, reload and part', async ({ browser, server }) => {
  const host = await visitor(browser, server.url, 'Mara');
  const guest = await visitor(browser, server.url, 'Ivo', 'no-preference');
  await becomeMember(host, server);
  await becomeMember(guest, server);
  const code = await comeTogether(host, guest, 'audio', 'Friday Slow Burn');
  const samples = await listenTogether(host, guest, 'audio', 5);
  console.log(driftLine('host to guest, one process', samples));
  await reloadBoth(host, guest);
  await part(host, guest, 'audio', code);
  expect([...host.complaints, ...guest.complaints]).toEqual([]);
});
