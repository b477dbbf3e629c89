import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startSmtpSink, type SmtpSink } from './smtp-sink.ts';

describe('a mail server for tests', () => {
  let sink: SmtpSink;
  beforeEach(async () => {
    sink = await startSmtpSink();
  });
  afterEach(() => sink.stop());

  const send = (to: string, patience = {}) =>
    createTransport({ url: sink.url, ...patience }).sendMail({
      from: 'tunemate@example.test',
      to,
      subject: 'Grüße',
      text: 'Open https://tunemate.example.test/auth/action?mode=verifyEmail&oobCode=1234567890abcdefghijklmnop now',
    });

  test('keeps what it is sent, decoded', async () => {
    const waiting = sink.waitForMail('ann@example.test');
    await send('ann@example.test');
    const mail = await waiting;
    expect(mail.subject).toBe('Grüße');
    expect(mail.links).toEqual([
      'https://tunemate.example.test/auth/action?mode=verifyEmail&oobCode=1234567890abcdefghijklmnop',
    ]);
  });

  test.each([
    ['refuses', 550],
    ['defers', 451],
  ] as const)('%s with %i when set to', async (mood, responseCode) => {
    sink.setMood(mood);
    await expect(send('ann@example.test')).rejects.toMatchObject({ responseCode });
    expect(sink.mails).toEqual([]);
  });

  test('hangs when set to, and the sender gives up', async () => {
    sink.setMood('hangs');
    await expect(send('ann@example.test', { socketTimeout: 200 })).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });
});
