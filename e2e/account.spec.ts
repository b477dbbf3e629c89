/** One's sessions on several devices, ended from one of them, and what the operator's other system receives. */
import { type Browser, expect, test } from '@playwright/test';
import { serve } from '@tunemate/testkit/network/serve';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { becomeMember, closeVisits, emailOf, haveAccount, leaveBy, type Person, signIn, visitor } from './person.ts';

interface TokenSystem {
  readonly url: string;
  /** The calls it received, in order: method, uid, and whether its own cookie was sent. */
  readonly sent: { method: string; uid: string; hasCookie: boolean }[];
  /** From now on it answers with this status. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

/** A system of the operator's on another origin, as TOKEN_SYNC_URL names it: it sets a cookie of its own. */
async function startTokenSystem(): Promise<TokenSystem> {
  const sent: TokenSystem['sent'] = [];
  let status = 200;
  const { url, close } = await serve((request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '');
    response.setHeader('access-control-allow-credentials', 'true');
    response.setHeader('access-control-allow-headers', 'content-type');
    response.setHeader('access-control-allow-methods', 'POST, DELETE');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { uid } = JSON.parse(Buffer.concat(parts).toString()) as { uid: string };
      const hasCookie = request.headers.cookie?.includes('token=own') ?? false;
      sent.push({ method: request.method ?? '', uid, hasCookie });
      response.writeHead(status, { 'set-cookie': 'token=own; Path=/; HttpOnly' }).end('{}');
    });
  });
  return {
    url: `${url}/token`,
    sent,
    answerWith: (next) => (status = next),
    close,
  };
}

let system: TokenSystem;
let server: ServerProcess;
test.beforeAll(async () => {
  system = await startTokenSystem();
  server = await startServerProcess({ env: { RATE_LIMIT_SCALE: '0', TOKEN_SYNC_URL: system.url } });
});
test.afterEach(closeVisits);
test.afterAll(async () => {
  await server.dispose();
  await system.close();
});

const loginLink = ({ page }: Person) => page.getByRole('link', { name: 'Log In' });

/** The same person in a browser of its own, signed in and at home. */
async function onAnotherDevice(browser: Browser, person: Person): Promise<Person> {
  const other = await visitor(browser, server.url, person.name);
  await signIn(other, emailOf(person.name));
  return other;
}

async function logOut({ page }: Person): Promise<void> {
  await page.goto('/');
  await leaveBy(page, () => page.getByRole('button', { name: 'Logout' }).click());
}

test('the operator’s system hears of each sign-in and sign-out, and its failures only reach the log', async ({
  browser,
}) => {
  const noor = await visitor(browser, server.url, 'Noor');
  await becomeMember(noor, server);
  await expect.poll(() => system.sent).toMatchObject([{ method: 'POST' }]);
  const { uid } = system.sent[0] ?? { uid: '' };
  expect(uid).toMatch(/^[0-9A-Za-z]{22}$/);
  await noor.page.reload();
  await expect(noor.page.getByRole('heading', { name: 'Noor', level: 1 })).toBeVisible();
  await logOut(noor);
  await expect(loginLink(noor)).toBeVisible();
  await expect.poll(() => system.sent.slice(1)).toEqual([{ method: 'DELETE', uid, hasCookie: true }]);
  expect(noor.complaints).toEqual([]);

  system.answerWith(500);
  await signIn(noor, emailOf(noor.name));
  await expect.poll(() => system.sent.at(-1)).toEqual({ method: 'POST', uid, hasCookie: true });
  await expect.poll(() => noor.complaints).toEqual(['accounts.token-sync-failed POST']);
  await system.close();
  await logOut(noor);
  await expect(loginLink(noor)).toBeVisible();
  await signIn(noor, emailOf(noor.name));
  // The failed call at sign-out was reported to a page that is closed by now.
  await expect.poll(() => noor.complaints.filter((line) => line.endsWith('POST'))).toHaveLength(2);
});

test('a device whose session another device ends is signed out at once, and stays so', async ({ browser }) => {
  const sami = await visitor(browser, server.url, 'Sami');
  await haveAccount(sami, server);
  const phone = await onAnotherDevice(browser, sami);
  await sami.page.goto('/account#signIn');
  const end = sami.page.getByRole('button', { name: /^End / });
  await expect(end).toHaveCount(1);
  await end.click();
  await expect(end).toHaveCount(0);
  await expect(loginLink(phone)).toBeVisible();
  await phone.page.goto('/chats');
  await expect(phone.page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await sami.page.reload();
  await expect(sami.page.getByText('This device', { exact: true })).toBeVisible();
});

test('Sign Out Everywhere ends this device and every other one, live', async ({ browser }) => {
  const ines = await visitor(browser, server.url, 'Ines');
  await haveAccount(ines, server);
  const [phone, tablet] = [await onAnotherDevice(browser, ines), await onAnotherDevice(browser, ines)];
  await tablet.page.goto('/chats');
  await ines.page.goto('/account#signIn');
  await expect(ines.page.getByRole('button', { name: /^End / })).toHaveCount(2);
  await ines.page.getByRole('button', { name: 'Sign Out Everywhere' }).click();
  const dialog = ines.page.getByRole('alertdialog', { name: 'Sign out everywhere?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(ines.page.getByText('This device', { exact: true })).toBeVisible();
  await ines.page.getByRole('button', { name: 'Sign Out Everywhere' }).click();
  await leaveBy(ines.page, () => dialog.getByRole('button', { name: 'Sign Out Everywhere' }).click());
  for (const person of [ines, phone]) await expect(loginLink(person)).toBeVisible();
  await expect(tablet.page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await ines.page.goto('/account');
  await expect(ines.page.getByRole('button', { name: 'Sign In' })).toBeVisible();
});
