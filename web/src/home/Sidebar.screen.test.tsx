import { clientId, maraUid } from '../../testing/connection-fixtures.ts';
import type { Hearing, Result, RoomCode, Uid, Value } from '@tunemate/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { pageLoads } from '../../testing/screens/browser.ts';
import { ok, refused } from '../../testing/screens/fake-server.ts';
import { button, focused, gone, heading, leadsTo, link, modal, shown, words } from '../../testing/screens/find.ts';
import { openPage, type Visit } from '../../testing/screens/open-page.tsx';
import { aTunemate, presenceOf } from '../../testing/screens/people.ts';
import { settled } from '../../testing/screens/settled.ts';
import { navigate } from '../store/address.ts';

const ivo = aTunemate('Ivo');
const ada = aTunemate('Ada', { metIn: ['audio'] }, 'offline');
const both = aTunemate('Noor', { metIn: ['video', 'audio'] });

const openMenu = (visit: Visit = {}) => openPage('/', { own: { tunemates: [ivo, ada, both] }, ...visit });
const menu = () => page.getByRole('complementary', { name: 'Menu' });
const actionsOf = (name: string) => page.getByRole('group', { name });

test("shows 'No tunemates yet' when there are none", async () => {
  await openPage('/');
  await shown(words('No tunemates yet'));
  await shown(words('Let someone into your room and they appear here.'));
  await shown(words('0 / 50'));
  await expectAccessible();
});

test('lists tunemates with their presence and the kinds of room they were met in', async () => {
  const { server } = await openMenu();
  await shown(button('Ivo Online, met in video'));
  await shown(button('Ada Offline, met in audio'));
  await shown(button('Noor Online, met in video and audio'));
  await leadsTo(link('Account'), '/account');
  server.tell({ type: 'presence/changed', presence: presenceOf(ada.uid) });
  await shown(button('Ada Online, met in audio'));
  server.sendEphemeral({ type: 'people/changed', person: { uid: ada.uid, name: 'Ada Okafor', presence: null } });
  await shown(button('Ada Okafor Online, met in audio'));
});

const hears = (uid: Uid, untilMs: number | null = null): Hearing => ({
  ...{ uid, title: 'Walking Home', artist: 'Lena Vogt', thumbnail: null, untilMs },
});

test('says what a tunemate hears while it plays, first in the list, and for a day what they heard last', async () => {
  const { server } = await openMenu();
  await shown(button('Ivo Online, met in video'));
  server.sendEphemeral({ type: 'presence/hears', uid: ada.uid, hears: hears(ada.uid) });
  await shown(button('Offline Ada Hears Walking Home, Lena Vogt'));
  await expect.poll(() => menu().getByRole('listitem').first().element().textContent).toContain('Ada');
  await expectAccessible();
  server.sendEphemeral({ type: 'presence/hears', uid: ada.uid, hears: hears(ada.uid, Date.now() - 2 * 3_600_000) });
  await shown(button('Offline Ada Heard last: Walking Home, 2 h ago'));
  server.sendEphemeral({ type: 'presence/hears', uid: ada.uid, hears: hears(ada.uid, Date.now() - 25 * 3_600_000) });
  await shown(button(/Ada Offline, met in audio/));
  server.tell({ type: 'presence/hearingEnded', uid: ada.uid });
  await shown(button('Ada Offline, met in audio'));
});

test('listening along asks at the door of the room at once', async () => {
  const { server } = await openMenu({
    prepare: (stand) => {
      stand.on('presence/listenAlong', () => ok({ kind: 'audio', code: 'ABC123' as RoomCode }));
      stand.on('rooms/askToJoin', () => ok({ code: 'ABC123' as RoomCode, status: 'pending' }));
      stand.on('rooms/renewRequest', () => ok({ status: 'pending' }));
      stand.on('rooms/cancelRequest', () => ok({}));
    },
  });
  await shown(button('Ivo Online, met in video'));
  server.sendEphemeral({ type: 'presence/hears', uid: ivo.uid, hears: hears(ivo.uid) });
  await button(/Ivo Hears Walking Home, Lena Vogt/).click();
  await menu().getByRole('button', { name: 'Listen along with Ivo' }).click();
  await shown(words('Waiting for Host Approval...'));
  expect(server.asked('presence/listenAlong')).toEqual([{ uid: ivo.uid }]);
  expect(server.asked('rooms/askToJoin')).toMatchObject([{ kind: 'audio', code: 'ABC123' }]);
});

test('a user who is on another screen by the time the door is known asks at none', async () => {
  const door = Promise.withResolvers<Result<Value<'presence/listenAlong'>>>();
  const { server } = await openMenu({
    prepare: (stand) => stand.on('presence/listenAlong', () => door.promise),
  });
  await shown(button('Ivo Online, met in video'));
  server.sendEphemeral({ type: 'presence/hears', uid: ivo.uid, hears: hears(ivo.uid) });
  await button(/Ivo Hears Walking Home, Lena Vogt/).click();
  await menu().getByRole('button', { name: 'Listen along with Ivo' }).click();
  navigate('/create');
  await shown(heading('Create a video room'));
  door.resolve(ok({ kind: 'audio', code: 'ABC123' as RoomCode }));
  expect(await settled(() => location.pathname)).toBe('/create');
});

test('a room that is over by then says so', async () => {
  const { server } = await openMenu({
    prepare: (stand) => stand.on('presence/listenAlong', () => refused('access/not-found')),
  });
  await shown(button('Ivo Online, met in video'));
  server.sendEphemeral({ type: 'presence/hears', uid: ivo.uid, hears: hears(ivo.uid) });
  await button(/Ivo Hears/).click();
  await menu().getByRole('button', { name: 'Listen along with Ivo' }).click();
  await shown(modal('It is over').getByText('Nothing plays there any more, or it is not shown to you.'));
});

test('a tap on a tunemate opens Invite, Remove and Chat, one person at a time', async () => {
  await openMenu();
  await button(/^Ivo/).click();
  await expect.element(button(/^Ivo/)).toHaveAttribute('aria-expanded', 'true');
  await shown(actionsOf('Ivo').getByRole('button', { name: 'Invite' }));
  await shown(actionsOf('Ivo').getByRole('button', { name: 'Remove' }));
  await leadsTo(actionsOf('Ivo').getByRole('link', { name: 'Chat' }), `/chat/${ivo.uid}`);
  await expectAccessible('this');
  await button(/^Ada/).click();
  await gone(actionsOf('Ivo'));
  await button(/^Ada/).click();
  await gone(actionsOf('Ada'));
});

test('inviting asks for a confirmation, also with the keyboard, and shows who was invited', async () => {
  const { server } = await openMenu({ prepare: (stand) => stand.on('notifications/invite', () => ok({})) });
  await button(/^Ivo/).click();
  await actionsOf('Ivo').getByRole('button', { name: 'Invite' }).click();
  await focused(modal('Invite Ivo?').getByRole('button', { name: 'Cancel' }));
  await userEvent.keyboard('{Escape}');
  await gone(modal('Invite Ivo?'));
  await focused(actionsOf('Ivo').getByRole('button', { name: 'Invite' }));
  expect(server.asked('notifications/invite')).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expectAccessible('this');
  await userEvent.keyboard('{Tab}{Enter}');
  await shown(words('Invitation sent to Ivo'));
  expect(server.asked('notifications/invite')).toMatchObject([{ uid: ivo.uid }]);
});

test('shows why an invitation was not sent', async () => {
  await openMenu({ prepare: (server) => server.on('notifications/invite', () => refused('access/not-found')) });
  await button(/^Ivo/).click();
  await actionsOf('Ivo').getByRole('button', { name: 'Invite' }).click();
  await modal('Invite Ivo?').getByRole('button', { name: 'Invite' }).click();
  await shown(modal('The invitation was not sent').getByText('This person is no longer here.'));
});

test('removing asks for a confirmation, and removes the person from the list', async () => {
  const { server } = await openMenu({ prepare: (stand) => stand.on('tunemates/remove', () => refused('server/busy')) });
  await button(/^Ivo/).click();
  await actionsOf('Ivo').getByRole('button', { name: 'Remove' }).click();
  await shown(modal('Remove Ivo?').getByText('You leave each other’s tunemates.'));
  await expectAccessible('this');
  await modal('Remove Ivo?').getByRole('button', { name: 'Remove' }).click();
  await modal('They are still your tunemate').getByRole('button', { name: 'OK' }).click();
  server.on('tunemates/remove', () => {
    server.tell({ type: 'tunemates/removed', uid: ivo.uid, metIn: ['video', 'audio'] });
    return ok({});
  });
  await actionsOf('Ivo').getByRole('button', { name: 'Remove' }).click();
  await modal('Remove Ivo?').getByRole('button', { name: 'Remove' }).click();
  await gone(button(/^Ivo/));
  await shown(words('2 / 50'));
  expect(server.asked('tunemates/remove')).toEqual([{ uid: ivo.uid }, { uid: ivo.uid }]);
});

test('above the bar of a room, on a phone on its side, tunemates and Logout can be reached', async () => {
  const { style } = document.documentElement;
  onTestFinished(() => void style.removeProperty('--bar-below'));
  style.setProperty('--bar-below', '140px');
  await page.viewport(844, 390);
  await openMenu();
  for (const each of [button('Noor Online, met in video and audio'), button('Logout')]) {
    await shown(each);
    each.element().scrollIntoView();
    await expect.element(each).toBeInViewport({ ratio: 0.9 });
  }
});

test('Logout asks first where a message was not sent, because it deletes it', async () => {
  localStorage.setItem(
    `tunemate/outbox/${maraUid}`,
    JSON.stringify([
      {
        ...{ clientId: clientId(1), uid: ivo.uid, text: 'hello', image: null, writtenAtMs: 1 },
        failure: { code: 'access/forbidden' },
      },
    ]),
  );
  await openMenu({ prepare: (stand) => stand.on('POST /api/accounts/sign-out', () => ok({})) });
  await button('Logout').click();
  const question = modal('Log out without sending?');
  await shown(question.getByText('1 message was not sent. Logging out deletes it.'));
  await expectAccessible('this');
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(pageLoads()).toEqual([]);
  await button('Logout').click();
  await question.getByRole('button', { name: 'Logout' }).click();
  await expect.poll(pageLoads).toEqual(['/']);
});

test('Logout signs out and reloads /', async () => {
  const { server } = await openMenu({
    prepare: (stand) => stand.on('POST /api/accounts/sign-out', () => refused('server/busy')),
  });
  await button('Logout').click();
  await modal('You are still logged in').getByRole('button', { name: 'OK' }).click();
  expect(pageLoads()).toEqual([]);
  server.on('POST /api/accounts/sign-out', () => ok({}));
  await button('Logout').click();
  await expect.poll(pageLoads).toEqual(['/']);
});

test('the sheet about a tunemate opens from the list, and Close leads back', async () => {
  await openMenu();
  await button(/^Ivo/).click();
  await button('About Ivo').click();
  const sheet = page.getByRole('dialog', { name: 'Ivo' });
  await shown(sheet.getByText('Tunemate, met in video'));
  await shown(sheet.getByRole('button', { name: 'Invite' }));
  await expectAccessible('this');
  await focused(sheet.getByRole('button', { name: 'Close' }));
  await userEvent.keyboard('{Enter}');
  await gone(sheet);
  await focused(button('About Ivo'));
});
