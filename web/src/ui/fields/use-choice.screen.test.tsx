import type { ChatTimer, Result } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { maraUid } from '../../../testing/connection-fixtures.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, modal, shown } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aConversation, aMessage, ivoUid } from '../../../testing/screens/people.ts';

const row = (name: RegExp) => page.getByRole('radio', { name });

/** The timer of a chat, stored as 'They stay'; `answer` answers the oldest choice that is sent. */
async function openTimer() {
  const sent: ((answer: Result<Record<string, never>>) => void)[] = [];
  const { server } = await openPage(`/chat/${ivoUid}`, {
    prepare: (fake) => {
      fake.on('chats/open', () => ok(aConversation('Ivo', { messages: [aMessage(ivoUid, 1)] })));
      fake.on('chats/setTimer', () => new Promise((resolve) => sent.push(resolve)));
    },
  });
  await button('Ivo').first().click();
  await expect.element(row(/They stay/)).toBeChecked();
  const stored = (days: ChatTimer['days']): void =>
    server.tell({
      type: 'chats/timerSet',
      pairId: aConversation('Ivo').pairId,
      timer: { days, by: maraUid, at: Date.now() },
    });
  return {
    asked: () => server.asked('chats/setTimer').map(({ days }) => days),
    answer: (answer: Result<Record<string, never>>) => sent.shift()?.(answer),
    stored,
  };
}

test('a choice is shown at once, and a second one is sent once the first is answered', async () => {
  const { asked, answer, stored } = await openTimer();
  await row(/7 days/).click();
  await expect.element(row(/7 days/)).toBeChecked();
  await row(/30 days/).click();
  await expect.element(row(/30 days/)).toBeChecked();
  expect(asked()).toEqual([7]);
  answer(ok({}));
  stored(7);
  await expect.poll(asked).toEqual([7, 30]);
  await expect.element(row(/30 days/)).toBeChecked();
  answer(ok({}));
  stored(30);
  await shown(page.getByText(/^Set by you/));
  await expect.element(row(/30 days/)).toBeChecked();
});

test('a refused choice gives way to what is stored', async () => {
  const { answer } = await openTimer();
  await row(/1 day/).click();
  await expect.element(row(/1 day/)).toBeChecked();
  answer(refused('server/busy'));
  await shown(modal('The timer was not changed'));
  await expect.element(row(/They stay/)).toBeChecked();
});
