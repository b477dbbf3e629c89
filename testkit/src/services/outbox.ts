/**
 * Reads mail as people get it: from the outbox folder (`*.eml`) or as an SMTP server received it.
 * Understands what our own mailer writes: plain or multipart text in 7bit, quoted-printable or base64.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../extent.ts';

/** One mail, decoded. */
export interface ReceivedMail {
  /** By their names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly to: string;
  readonly subject: string;
  /** The plain text, else the only body there is. */
  readonly text: string;
  /** Every http(s) address of the text, in its order. */
  readonly links: readonly string[];
}

/** All mails of an outbox folder, in the order of their file names. */
export async function readOutbox(folder: string): Promise<ReceivedMail[]> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(names.map(async (name) => parseMail(await readFile(join(folder, name), 'utf8'))));
}

const lookAgainAfterMs = 10;

/**
 * Waits for the `count`th mail to `recipient` (1 is the first) and answers it. Throws when none comes within the time of
 * a journey's waits, since a test that waits for a mail in vain would end without a word of it.
 */
export async function waitForMail(folder: string, recipient: string, count = 1): Promise<ReceivedMail> {
  const giveUpAt = performance.now() + limits.journey.poll;
  for (;;) {
    const mails = await readOutbox(folder);
    const mail = mails.filter(({ to }) => to.includes(recipient))[count - 1];
    if (mail) return mail;
    if (performance.now() > giveUpAt) {
      const others = mails.map(({ to, subject }) => `${to}: ${subject}`).join('; ') || 'none';
      throw new Error(`mail ${count} to ${recipient} did not come; there are: ${others}`);
    }
    await pause(lookAgainAfterMs);
  }
}

/** Decodes one mail in its transport form. */
export function parseMail(source: string): ReceivedMail {
  const { headers, body } = splitPart(source);
  const text = textOf(headers, body);
  return {
    headers,
    to: headers.get('to') ?? '',
    subject: decodeWords(headers.get('subject') ?? ''),
    text,
    links: text.match(/https?:\/\/[^\s<>"]+/g) ?? [],
  };
}

function splitPart(source: string): { headers: Map<string, string>; body: string } {
  const [head = '', ...rest] = source.replaceAll('\r\n', '\n').split('\n\n');
  const lines = head.replaceAll(/\n[ \t]+/g, ' ').split('\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: new Map(headers), body: rest.join('\n\n') };
}

function textOf(headers: Map<string, string>, body: string): string {
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) return decodeBody(headers.get('content-transfer-encoding') ?? '7bit', body);
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitPart(part.trimStart()));
  const plain = parts.find((part) => (part.headers.get('content-type') ?? '').startsWith('text/plain')) ?? parts[0];
  return plain ? textOf(plain.headers, plain.body) : '';
}

function decodeBody(encoding: string, body: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8');
  if (/quoted-printable/i.test(encoding)) return unquote(body.replaceAll('=\n', ''));
  return body;
}

/** Words of a header outside ASCII, as in `=?UTF-8?Q?caf=C3=A9?=`. */
function decodeWords(header: string): string {
  const joined = header.replaceAll(/\?=\s+=\?/g, '?==?');
  return joined.replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, encoding: string, content: string) =>
    encoding.toLowerCase() === 'b'
      ? Buffer.from(content, 'base64').toString('utf8')
      : unquote(content.replaceAll('_', ' ')),
  );
}

/** `=C3=A9` is `é`: the codes are bytes of UTF-8, so they are put back among the bytes of the rest. */
function unquote(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const whole = bytes.replaceAll(/=([0-9A-F]{2})/gi, (_code, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return Buffer.from(whole, 'latin1').toString('utf8');
}
