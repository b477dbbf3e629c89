import { expect, test } from 'vitest';
import { contactOf } from './push.ts';

test.each([
  ['https://music.example.org', 'Tunemate <tunemate@example.org>', 'https://music.example.org'],
  ['http://localhost:3000', 'Tunemate <tunemate@example.org>', 'mailto:tunemate@example.org'],
  ['http://localhost:3000', 'tunemate@example.org', 'mailto:tunemate@example.org'],
])('push services reach the operator of %s with mails from %s at %s', (publicUrl, mailFrom, contact) => {
  expect(contactOf(publicUrl, mailFrom)).toBe(contact);
});
