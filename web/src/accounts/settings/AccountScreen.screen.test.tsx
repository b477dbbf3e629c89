import { clientId, mara, maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import type { AppConfig, HearingAudience, SessionRow } from '@tunemate/protocol';
import { expect, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone, pageLoads } from '../../../testing/screens/browser.ts';
import { ok, refused, silence, type FakeServer } from '../../../testing/screens/fake-server.ts';
import {
  button,
  field,
  focused,
  gone,
  heading,
  leadsTo,
  link,
  modal,
  shown,
  words,
} from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { hasLetterKeys, setLetterKeys } from '../../ui/letter-keys.ts';
import { showLook } from '../../ui/look.ts';
import { longName } from '../../../testing/screens/people.ts';

const here: SessionRow = { sessionId: 's1', device: 'Firefox on Linux', createdAt: 1, lastSeenAt: 2, isCurrent: true };
const phone: SessionRow = {
  ...here,
  sessionId: 's2',
  device: 'Safari on iPhone',
  lastSeenAt: Date.UTC(2025, 2, 4, 12),
  isCurrent: false,
};

async function openAccount(
  part: '' | '#signIn' | '#privacy' | '#look' | '#notifications' | '#data' = '',
  prepare: (server: FakeServer) => void = () => undefined,
  config: Partial<AppConfig> = {},
): Promise<FakeServer> {
  const { server } = await openPage(`/account${part}`, {
    config,
    prepare: (stand) => {
      stand.on('GET /api/accounts/sessions', () => ok({ sessions: [phone, here] }));
      stand.on('GET /api/listens', () => ok({ status: 'off' }));
      prepare(stand);
    },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeInTheDocument();
  return server;
}
const part = (name: string): Locator => page.getByRole('region', { name });

const index = (): Locator => page.getByRole('navigation', { name: 'Account' });
const toPart = (name: string): Locator => index().getByRole('link', { name });

test('an index beside the open part leads to each, marks it, and leads home', async () => {
  await openAccount();
  await shown(heading('Profile'));
  await shown(words('People see your name and this disc.'));
  await shown(words(mara.email));
  await leadsTo(link('Back to Home'), '/');
  for (const [name, sections] of [
    ['Sign-in', ['Password', 'Where you are signed in']],
    ['Privacy', ['Read receipts', 'What we played', 'Blocked people']],
    ['Look and language', ['Keyboard']],
    ['Notifications', ['Notifications on this device']],
    ['Data', ['Your data', 'Delete account']],
    ['Profile', ['Your name', 'Address']],
  ] as const) {
    await toPart(name).click();
    await focused(page.getByRole('heading', { name, level: 1 }));
    await expect.element(toPart(name)).toHaveAttribute('aria-current', 'page');
    for (const section of sections) await shown(heading(section));
    await expectAccessible('all');
  }
  expect(location.pathname).toBe('/account');
  // The operator has not switched them on.
  await gone(words('Show previews of links'));
  history.back();
  await shown(heading('Your data'));
});

test('on phones the index says what each part says now, also after a change, and each part leads back to it', async () => {
  await lookOnPhone();
  await openAccount();
  const says = (name: string) => index().getByRole('link', { name, exact: true });
  await shown(says(`Profile ${mara.name}`));
  await shown(says('Sign-in Password, 2 devices'));
  await shown(says('Privacy What I hear: Nobody'));
  await shown(says('Notifications On this device: off'));
  await shown(says('Data Export, delete'));
  await expectAccessible('all');
  await says('Look and language As on this device, English').click();
  await page.getByRole('radio', { name: 'Dark', exact: true }).click();
  await gone(index());
  await expectAccessible('all');
  await link('Back').click();
  await says('Look and language Dark, English').click();
  await page.getByRole('radio', { name: 'As on this device', exact: true }).click();
  await link('Back').click();
  await leadsTo(link('Back').first(), '/');
});

test('is light or dark as chosen on this device, the next time too', async () => {
  await openAccount('#look');
  const root = document.documentElement;
  const scheme = (): string => getComputedStyle(root).colorScheme;
  const systems = scheme();
  for (const [name, shows] of [
    ['Dark', 'dark'],
    ['Light', 'light'],
    ['As on this device', systems],
  ] as const) {
    await page.getByRole('radio', { name, exact: true }).click();
    expect(scheme()).toBe(shows);
    delete root.dataset['theme'];
    showLook();
    expect(scheme()).toBe(shows);
  }
  delete root.dataset['theme'];
});

test('switches letters off as keys on this device, and on again', async () => {
  await openAccount('#look');
  const letters = page.getByRole('switch', { name: /^Letters and digits work as keys/ });
  await expect.element(letters).toBeChecked();
  await letters.click();
  await expect.element(letters).not.toBeChecked();
  expect(hasLetterKeys()).toBe(false);
  await letters.click();
  await expect.element(letters).toBeChecked();
  setLetterKeys(true);
});

test('changes the name', async () => {
  const server = await openAccount('', (stand) =>
    stand.on('PATCH /api/accounts/me', ({ name }) => ok({ ...mara, name: name ?? '' })),
  );
  await expect.element(field('Name')).toHaveValue(mara.name);
  await field('Name').fill('');
  await button('Save Name').click();
  await expect.element(field('Name')).toHaveAccessibleDescription('Please enter your name.');
  await expectAccessible();
  await field('Name').fill(`  ${longName} `);
  await userEvent.keyboard('{Enter}');
  await shown(words('Saved'));
  await expect.element(field('Name')).toHaveValue(longName);
  expect(server.asked('PATCH /api/accounts/me')).toEqual([{ name: longName }]);
  server.on('PATCH /api/accounts/me', () => refused('input/invalid'));
  await button('Save Name').click();
  await expect.element(field('Name')).toHaveAccessibleDescription('This name holds characters that cannot be shown.');
});

test('changes the password after the current one was typed', async () => {
  const server = await openAccount('#signIn', (stand) =>
    stand.on('POST /api/accounts/change-password', () => refused('auth/invalid-credentials')),
  );
  await button('Change Password').click();
  await expect.element(field('Current password')).toHaveAccessibleDescription('Please enter your password.');
  await expect.element(field('New password')).toHaveAccessibleDescription(/Please enter your password\./);
  await expectAccessible();
  await field('Current password').fill('wrong');
  await field('New password').fill('correct horse battery');
  await button('Change Password').click();
  await expect.element(field('Current password')).toHaveAccessibleDescription('This is not your current password.');
  server.on('POST /api/accounts/change-password', () => refused('auth/password-weak'));
  await button('Change Password').click();
  await expect.element(field('New password')).toHaveAccessibleDescription(/This password is easy to guess\./);
  server.on('POST /api/accounts/change-password', () => ok({}));
  await button('Change Password').click();
  await shown(words('Password changed. Your other devices are signed out.'));
  await expect.element(field('New password')).toHaveValue('');
});

test('shows what the user hears to no person until they choose, and to whom they choose', async () => {
  let shownTo: HearingAudience | undefined;
  const server = await openAccount('#privacy', (stand) => {
    stand.on('PATCH /api/accounts/me', ({ hearingShownTo }) => {
      shownTo = hearingShownTo;
      return ok({ ...mara, ...(shownTo && { hearingShownTo: shownTo }) });
    });
  });
  const rows = page.getByRole('group', { name: 'Who sees what I hear' });
  await expect.element(rows.getByRole('radio', { name: /^Nobody/ })).toBeChecked();
  await rows.getByRole('radio', { name: /^My soulmate and tunemates/ }).click();
  await expect.element(rows.getByRole('radio', { name: /^My soulmate and tunemates/ })).toBeChecked();
  expect(server.asked('PATCH /api/accounts/me')).toEqual([{ hearingShownTo: 'tunemates' }]);
});

test('switches read receipts', async () => {
  const server = await openAccount('#privacy', (stand) =>
    stand.on('PATCH /api/accounts/me', () => refused('server/busy')),
  );
  const receipts = page.getByRole('switch', { name: 'Show when I have read messages' });
  await expect.element(receipts).toHaveAttribute('aria-checked', 'true');
  await receipts.click();
  await modal('That did not work').getByRole('button', { name: 'OK' }).click();
  await expect.element(receipts).toHaveAttribute('aria-checked', 'true');
  server.on('PATCH /api/accounts/me', () => ok({ ...mara, readReceipts: false }));
  await receipts.click();
  await expect.element(receipts).toHaveAttribute('aria-checked', 'false');
});

test('switches previews of links, where the operator has switched them on', async () => {
  const server = await openAccount(
    '#privacy',
    (stand) => stand.on('PATCH /api/accounts/me', () => ok({ ...mara, linkPreviews: false })),
    { linkPreviews: true },
  );
  const previews = page.getByRole('switch', { name: 'Show previews of links' });
  await expect.element(previews).toHaveAttribute('aria-checked', 'true');
  await expectAccessible();
  await previews.click();
  await expect.element(previews).toHaveAttribute('aria-checked', 'false');
  expect(server.asked('PATCH /api/accounts/me')).toEqual([{ linkPreviews: false }]);
});

test('shows that the browser denies push messages', async () => {
  const { Notification: real } = window;
  vi.stubGlobal('Notification', { permission: 'denied', requestPermission: () => Promise.resolve('denied') });
  await openAccount('#notifications');
  await page.getByRole('switch', { name: 'Tell me while Tunemate is closed' }).click();
  await shown(modal('This browser does not allow news from here.'));
  await expectAccessible();
  vi.unstubAllGlobals();
  expect(window.Notification).toBe(real);
});

test('lists devices, this one first, and signs out another', async () => {
  const server = await openAccount('#signIn', (stand) =>
    stand.on('POST /api/accounts/revoke-session', () => refused('server/busy')),
  );
  const rows = part('Where you are signed in').getByRole('listitem');
  await expect.element(rows.first()).toHaveTextContent('Firefox on LinuxThis device');
  await expect.element(rows.last()).toMatchTextContent('Safari on iPhoneLast seen 04/03/2025');
  await button('End Safari on iPhone').click();
  await modal('That did not work').getByRole('button', { name: 'OK' }).click();
  server.on('POST /api/accounts/revoke-session', () => refused('access/not-found'));
  await button('End Safari on iPhone').click();
  await gone(button('End Safari on iPhone'));
});

test('shows that the devices are loading', async () => {
  await openAccount('#signIn', (stand) => stand.on('GET /api/accounts/sessions', silence));
  await expect.element(part('Where you are signed in').getByText('Loading...')).toBeInTheDocument();
  await expectAccessible();
});

test('devices that could not be loaded can be loaded again', async () => {
  const server = await openAccount('#signIn', (stand) =>
    stand.on('GET /api/accounts/sessions', () => refused('server/failed')),
  );
  await shown(words('Your devices could not be listed.'));
  await expectAccessible();
  server.on('GET /api/accounts/sessions', () => ok({ sessions: [here] }));
  await button('Try Again').click();
  await shown(words('Firefox on Linux'));
});

test('names messages that were not sent before it signs out everywhere, because that deletes them', async () => {
  const message = { clientId: clientId(1), uid: uidOf('Ivo'), text: 'hello', image: null, writtenAtMs: 1 };
  localStorage.setItem(`tunemate/outbox/${maraUid}`, JSON.stringify([{ ...message, failure: null }]));
  const server = await openAccount('#signIn', (stand) => stand.on('chats/send', silence));
  await expect.poll(() => server.asked('chats/send')).toHaveLength(1);
  await button('Sign Out Everywhere').click();
  const question = modal('Sign out everywhere?');
  await shown(question.getByText(/1 message was not sent\. Logging out deletes it\.$/));
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(pageLoads()).toEqual([]);
});

test('signs out everywhere after a confirmation', async () => {
  const server = await openAccount('#signIn', (stand) =>
    stand.on('POST /api/accounts/sign-out-everywhere', () => refused('server/busy')),
  );
  await button('Sign Out Everywhere').click();
  await shown(modal('Sign out everywhere?'));
  await expectAccessible();
  await modal('Sign out everywhere?').getByRole('button', { name: 'Sign Out Everywhere' }).click();
  await modal('That did not work').getByRole('button', { name: 'OK' }).click();
  server.on('POST /api/accounts/sign-out-everywhere', () => ok({}));
  await button('Sign Out Everywhere').click();
  await modal('Sign out everywhere?').getByRole('button', { name: 'Sign Out Everywhere' }).click();
  await expect.poll(pageLoads).toEqual(['/']);
});

test('what the server says late about privacy moves no key', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await openAccount('#privacy', (stand) => {
    stand.on('rooms/histories', async () => {
      await answered;
      return ok({ isKept: true, histories: [] });
    });
    stand.on('GET /api/listens', async () => {
      await answered;
      return ok({ status: 'disconnected', server });
    });
  });
  await shown(button('Show Blocked People'));
  const place = (): number => button('Show Blocked People').element().getBoundingClientRect().top;
  const before = place();
  answer();
  await shown(page.getByRole('switch', { name: 'Keep what we played' }));
  await shown(button('Send My Listens'));
  expect(place()).toBe(before);
});

test('lists blocked people on request, and unblocks one', async () => {
  const ivo = uidOf('Ivo');
  const server = await openAccount('#privacy', (stand) => {
    stand.on('chats/blocked', () => refused('server/failed'));
    stand.on('chats/block', () => ok({}));
  });
  await button('Show Blocked People').click();
  await shown(part('Blocked people').getByText('Something went wrong on the server. Try again.'));
  server.on('chats/blocked', () =>
    ok({
      people: [
        { uid: ivo, name: 'Ivo' },
        { uid: uidOf('gone'), name: '' },
      ],
    }),
  );
  await button('Show Blocked People').click();
  await shown(button('Unblock Deleted user'));
  await expectAccessible();
  await button('Unblock Ivo').click();
  await gone(button('Unblock Ivo'));
  server.on('chats/block', () => refused('server/busy'));
  await button('Unblock Deleted user').click();
  await modal('That did not work').getByRole('button', { name: 'OK' }).click();
  server.on('chats/block', () => ok({}));
  await button('Unblock Deleted user').click();
  await shown(words('You have blocked nobody.'));
  expect(server.asked('chats/block')[0]).toEqual({ uid: ivo, isBlocked: false });
});

const listens = 'Listening history';
const server = 'listens.example';
const linked = { status: 'connected', server, name: 'mara-m', isRefused: false, waiting: 0 } as const;

test('asks again for listens after an answer that was lost', async () => {
  const stand = await openAccount('#privacy', (each) =>
    each.on('GET /api/listens', () => refused('server/unavailable')),
  );
  await expect.poll(() => stand.asked('GET /api/listens').length).toBeGreaterThan(0);
  stand.on('GET /api/listens', () => ok({ status: 'disconnected', server }));
  await shown(part(listens));
});

test('sends listens once a token was entered that the server knows, and never shows it again', async () => {
  const stand = await openAccount('#privacy', (each) => {
    each.on('GET /api/listens', () => ok({ status: 'disconnected', server }));
    each.on('POST /api/listens/connect', () => ok({ outcome: 'refused', state: { status: 'disconnected', server } }));
  });
  const token = part(listens).getByLabelText('User token');
  await button('Send My Listens').click();
  await expect.element(token).toHaveAccessibleDescription(/Please enter your token\./);
  await expectAccessible('all');
  await token.fill('not a token');
  await userEvent.keyboard('{Enter}');
  await expect.element(token).toHaveAccessibleDescription(/listens\.example does not know this token\./);
  stand.on('POST /api/listens/connect', () =>
    ok({ outcome: 'unreachable', state: { status: 'disconnected', server } }),
  );
  await token.fill('a-token');
  await button('Send My Listens').click();
  await expect.element(token).toHaveAccessibleDescription(/listens\.example does not answer\./);
  stand.on('POST /api/listens/connect', () => ok({ outcome: 'connected', state: linked }));
  await button('Send My Listens').click();
  await shown(part(listens).getByText('Your listens go to mara-m at listens.example.'));
  await gone(token);
  expect(stand.asked('POST /api/listens/connect').map((each) => each.token)).toEqual(['a-token', 'a-token']);
});

test('shows that the token is refused and what waits, and stops sending', async () => {
  const stand = await openAccount('#privacy', (each) => {
    each.on('GET /api/listens', () => ok({ ...linked, isRefused: true, waiting: 3 }));
    each.on('POST /api/listens/disconnect', () => refused('server/busy'));
  });
  await expect.element(part(listens).getByRole('alert')).toMatchTextContent(/no token that/);
  await shown(part(listens).getByText('Waiting to be sent: 3'));
  await shown(part(listens).getByLabelText('User token'));
  await expectAccessible('all');
  await button('Stop Sending').click();
  await modal('That did not work').getByRole('button', { name: 'OK' }).click();
  stand.on('POST /api/listens/disconnect', () => ok({ status: 'disconnected', server }));
  await button('Stop Sending').click();
  await gone(button('Stop Sending'));
});

test('has no section of listens where the server sends none', async () => {
  const stand = await openAccount('#privacy');
  await expect.poll(() => stand.asked('GET /api/listens')).toHaveLength(1);
  await gone(part(listens));
});

test("saves the user's data as a file, and shows when the next export is possible", async () => {
  const server = await openAccount('#data', (stand) =>
    stand.onExport(() => Response.json(refused('limit/too-many', { retryAfterMs: 1_200_000 }), { status: 429 })),
  );
  await button('Export My Data').click();
  await shown(modal('That did not work').getByText(/You exported your data a moment ago\. Try again in 20 minutes\./));
  await button('OK').click();
  server.onExport(() => Response.json({ account: { name: mara.name } }));
  const saved = Promise.withResolvers<string>();
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function noteFile(
    this: HTMLAnchorElement,
  ) {
    saved.resolve(this.download);
  });
  await button('Export My Data').click();
  expect(await saved.promise).toBe('tunemate-data.json');
  click.mockRestore();
});

test('deletes the account with the password after a confirmation, and reloads /', async () => {
  const server = await openAccount('#data', (stand) =>
    stand.on('POST /api/accounts/delete', () => refused('auth/invalid-credentials')),
  );
  const password = part('Delete account').getByLabelText('Password');
  await button('Delete Account').click();
  await expect.element(password).toHaveAccessibleDescription('Please enter your password.');
  await password.fill('wrong');
  await userEvent.keyboard('{Enter}');
  await shown(modal('Delete your account?').getByText('This cannot be undone.'));
  await expectAccessible();
  await modal('Delete your account?').getByRole('button', { name: 'Cancel' }).click();
  expect(server.asked('POST /api/accounts/delete')).toEqual([]);
  await button('Delete Account').click();
  await modal('Delete your account?').getByRole('button', { name: 'Delete' }).click();
  await expect.element(password).toHaveAccessibleDescription('This is not your current password.');
  server.on('POST /api/accounts/delete', () => ok({}));
  await button('Delete Account').click();
  await modal('Delete your account?').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(pageLoads).toEqual(['/']);
});
