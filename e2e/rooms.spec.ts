/** Two people, one room, in sync: on one process with SQLite, in both kinds of room. */
import { expect } from '@playwright/test';
import { roomKinds } from '@tunemate/protocol';
import { becomeMember, visitor } from './person.ts';
import { comeTogether, driftLine, listenTogether, part, reloadBoth } from './room-story.ts';
import { test } from './with-server.ts';

for (const kind of roomKinds) {
  test(`two people meet in a room of kind ${kind}, hear the same, talk, reload and part`, async ({
    browser,
    server,
  }) => {
    const host = await visitor(browser, server.url, `Mara ${kind}`);
    const guest = await visitor(browser, server.url, `Ivo ${kind}`, 'no-preference');
    await becomeMember(host, server);
    await becomeMember(guest, server);
    const code = await comeTogether(host, guest, kind, 'Friday Slow Burn');
    const samples = await listenTogether(host, guest, kind, 5);
    console.log(driftLine(`host to guest, ${kind} room, one process`, samples));
    await reloadBoth(host, guest);
    await part(host, guest, kind, code);
    expect([...host.complaints, ...guest.complaints]).toEqual([]);
  });
}
