/** Which links of messages may have a preview: the first line of defence against addresses of one's own network. */
import { expect, test } from 'vitest';
import { mayHavePreview, previewedLink } from './previewed-link.ts';

/** As pages and the server read it. */
function addressIn(text: string): string | null {
  const link = previewedLink(text);
  if (link === null || !URL.canParse(link)) return null;
  const address = new URL(link);
  return mayHavePreview(address) ? address.href : null;
}

test.each([
  ['https://news.example.org/a', 'https://news.example.org/a'],
  ['HTTPS://News.Example.ORG', 'https://news.example.org/'],
  ['Read this (https://news.example.org/a?b=1&c=2#part).', 'https://news.example.org/a?b=1&c=2#part'],
  ['https://en.example.org/wiki/Queen_(band), and more', 'https://en.example.org/wiki/Queen_(band)'],
  ['(see https://en.example.org/wiki/Queen_(band))', 'https://en.example.org/wiki/Queen_(band)'],
  ['http://old.example.org then https://new.example.org:443/x', 'https://new.example.org/x'],
  ['https://münchen.example.org/ß', 'https://xn--mnchen-3ya.example.org/%C3%9F'],
  ['“https://a.example.org”', 'https://a.example.org/'],
])('of %j it is %s', (text, href) => {
  expect(addressIn(text)).toBe(href);
});

test.each([
  'no link',
  'https://127.0.0.1/ https://b.example.org/',
  'news.example.org/a',
  'http://news.example.org/a',
  'ftp://news.example.org/a',
  'file:///etc/passwd',
  'xhttps://news.example.org/a',
  'https://',
  'https://news.example.org:8443/',
  'https://news.example.org:80/',
  'https://ann@news.example.org/',
  'https://ann:secret@news.example.org/',
  'https://localhost/',
  'https://localhost./',
  'https://printer/',
  'https://nas.local/',
  'https://db.internal/',
  'https://router.lan/',
  'https://nas.home.arpa/',
  'https://a.localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://１２７.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.7/',
  'https://8.8.8.8/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  `https://news.example.org/${'a'.repeat(2000)}`,
])('%j has none', (text) => {
  expect(addressIn(text)).toBeNull();
});

test.each([
  `https://a.example${')'.repeat(8000)}`,
  'https://'.repeat(1000),
  `https://${'a.'.repeat(4000)}`,
  `https://${'a'.repeat(900)}${'-'.repeat(900)}`,
])('a long text of marks is read to its end', (text) => {
  expect(addressIn(text) ?? 'none').toMatch(/^(?:none|https:\/\/a\.example\/)$/u);
});
