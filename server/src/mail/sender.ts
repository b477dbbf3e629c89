/** What other mail servers judge a mail by: who sends it, an id under the domain that sends, and that a program wrote it. */
import { domainToASCII } from 'node:url';

/** Of MAIL_FROM: a name in front of an address in brackets, with commas or in quotes, or an address alone. */
export function senderOf(from: string): { name: string; address: string } {
  const [, quoted, plain = '', address] = /^(?:"((?:[^"\\]|\\.)*)"|([^<]*))\s*<([^<>]+)>$/u.exec(from.trim()) ?? [];
  if (address === undefined) return { name: '', address: from.trim() };
  return { name: quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain.trim(), address };
}

/** The same id on every attempt, so that a server that accepted the mail already can recognise the repetition. */
export function headersOf(id: string, from: string): Readonly<Record<string, string>> {
  const { address } = senderOf(from);
  const said = address.slice(address.lastIndexOf('@') + 1).replace(/\.$/u, '');
  // An address in brackets is as good as a name.
  const domain = /^\[[\d.:a-f]+\]$/iu.test(said) ? said : domainToASCII(said) || 'tunemate';
  return {
    'Message-ID': `<${id}@${domain}>`,
    // Answers of absent people and other programs stay away. Exchange knows the second name alone.
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
  };
}
