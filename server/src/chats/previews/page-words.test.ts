/** What pages say of themselves, as written by hand, by programs, and by people who mean harm. */
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { wordsOf } from './page-words.ts';

const titleOf = (html: string) => wordsOf(html)?.title ?? null;

describe('a page', () => {
  test('is previewed by its Open Graph lines before its others, the first of each', () => {
    const html = `<!doctype html><html><head><meta charset="utf-8"><title>Tab title</title>
      <META NAME='Description' content='Of the page'>
      <meta property=og:title content="A long way">
      <meta property="og:title" content="Another">
      <meta content="By &quot;Ines&quot; &amp; friends&hellip;" property="og:description"/>
      <meta property="og:site_name" content="The Harbour">
      <meta property="og:image" content="https://pictures.example.org/a.png"></head>`;
    expect(wordsOf(html)).toEqual({
      title: 'A long way',
      description: 'By "Ines" & friends…',
      siteName: 'The Harbour',
    });
  });

  test('without them is previewed by its title and description', () => {
    expect(wordsOf('<title>\n  Sunday\n Kitchen </title><meta name=description content="Bread">')).toEqual({
      title: 'Sunday Kitchen',
      description: 'Bread',
      siteName: null,
    });
  });

  test.each([
    '',
    'plain words',
    '<p>x',
    '<title></title>',
    '<title> \u200b&nbsp;\u2800 </title>',
    '<meta property="og:title">',
  ])('%j has no preview', (html) => expect(wordsOf(html)).toBeNull());

  test.each([
    ['an empty og:title', '<meta property="og:title" content=" "><title>x</title>'],
    ['comments', '<!-- <title>no</title> --><title>x</title>'],
    ['a script', '<script>"<title>no</title>"</script ><title>x</title>'],
    ['a style', '<style><title>no</title></style><title>x</title>'],
    ['a picture', '<svg><title>no</title></svg><title>x</title>'],
    ['an attribute', '<meta name="a" content="<title>no</title>"><title>x</title>'],
    ['an attribute in the other quotes', `<meta name='a' content='"><title>no</title>'><title>x</title>`],
    ['an element of another name', '<titles>no</titles><title-x>no</title-x><title>x</title>'],
    ['no end', '<title>x'],
    ['a second title', '<title>x</title><title>no</title>'],
    ['odd capitals', '<TiTlE id=a>x</tITLE\n>'],
    ['stray signs', '< <> </ <3 <!x> <?xml?> <title>x</title>'],
  ])('with %s has the title x', (_what, html) => expect(titleOf(html)).toBe('x'));

  test('nothing behind the beginning of the body counts', () => {
    expect(wordsOf('<body><title>no</title><meta property="og:title" content="no">')).toBeNull();
  });

  test.each([
    ['M&uuml;de &Auml;ste', 'Müde Äste'],
    ['&#77;&#xe4;&#8230;&#150;', 'Mä…–'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['&Alpha;&rarr;&omega; &sigmaf; &le; &hearts; &lstrok;&oacute;d&zacute; &sung;', 'Α→ω ς ≤ ♥ łódź ♪'],
    ['&#0;&#xd800;&#1114112;', '\ufffd\ufffd\ufffd'],
    ['a&b &unknown; &copy', 'a&b &unknown; &copy'],
    ['&constructor; &toString;', '&constructor; &toString;'],
  ])('%s is read as %s', (written, read) => expect(titleOf(`<title>${written}</title>`)).toBe(read));
});

describe('a hostile page', () => {
  test('its markup stays text', () => {
    const markup = '<img src=x onerror=alert(1)><script>alert(1)</script>';
    expect(titleOf(`<title>${markup}</title>`)).toBe(markup);
    expect(titleOf('<title>&lt;img src=x&gt;</title>')).toBe('<img src=x>');
  });

  test('marks that can’t be seen, that turn the direction, and that break lines are taken out', () => {
    const html = `<title>pay\u202egnp.exe\u2066 a\u200bb\u00adc\u0000d\ne\u2028f\u{e0041}</title>`;
    expect(titleOf(html)).toBe('paygnp.exe abc d e f');
    expect(titleOf('<title>x&#8238;y&#x200f;z</title>')).toBe('xyz');
  });

  test('its lines are cut, between characters', () => {
    const { title, description, siteName } = wordsOf(
      `<title>${'🔥'.repeat(9999)}</title><meta name=description content="${'d'.repeat(9999)}">
       <meta property=og:site_name content="${'s'.repeat(9999)}">`,
    )!;
    expect([title, description, siteName].map((line) => Array.from(line ?? '').length)).toEqual([200, 300, 60]);
    expect(title.isWellFormed()).toBe(true);
    expect(title.endsWith('🔥…')).toBe(true);
  });

  const most = 256 * 1024;
  test.each([
    ['<', '<'.repeat(most)],
    ['<a', '<a'.repeat(most / 2)],
    ['attributes', `<meta ${'a="b" '.repeat(most / 6)}`],
    ['open quotes', '<meta a="b c=\'d '.repeat(most / 16)],
    ['open quotes of one tag', `<meta ${`a='"x `.repeat(most / 8)}`],
    ['equal signs', `<meta ${'='.repeat(most)}`],
    ['spaces', `<meta a${' '.repeat(most)}b`],
    ['comments', '<!--'.repeat(most / 4)],
    ['scripts', '<script>'.repeat(most / 8)],
    ['titles', '<title>'.repeat(most / 7)],
    ['references', `<title>${'&#x'.repeat(most / 3)}`],
    ['a long name', `<${'a'.repeat(most)}`],
    ['long attributes', `<meta ${'a'.repeat(most)}`],
  ])('of nothing but %s is read to its end', (_what, html) => {
    expect(titleOf(html)?.length ?? 0).toBeLessThanOrEqual(200);
  });

  test('of whatever characters gives clean lines or none', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '=',
      '&',
      ';',
      '/',
      '!--',
      '-->',
      'meta ',
      'title',
      'script',
      'og:title',
      'property',
      'content',
      ' ',
      '\u202e',
      '\ud800',
      '&#8238;',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const line of Object.values(wordsOf(pieces.join('')) ?? {})) {
          if (line !== null) expect(line).toMatch(/^[^\p{Cc}\u202e\u2028]{1,300}$/u);
        }
      }),
    );
  });
});

test.each([
  'Before you continue to Google Maps',
  'Just a moment...',
  'Attention Required! | Cloudflare',
  'Access denied',
  'Are you a robot?',
  '403 Forbidden',
  'Redirecting…',
  'Log in to Example',
  'Sign in · GitLab',
  'Anmelden',
  'Reddit - Please wait for verification',
  'Robot Check',
  'You are being redirected...',
  'Nur einen Moment…',
  'Sucuri WebSite Firewall - Access Denied',
])('%j stands before a page and is no preview of it', (title) => {
  expect(wordsOf(`<title>${title}</title>`)).toBeNull();
});

test.each([
  'Just a moment in time',
  'Un momento',
  'Robot Checkers',
  'Loading the dice',
  '503 ways to cook rice',
  'Access denied: a history of locks',
  'Are you a robot? I am not',
  'Log in, tune out',
  'Sign in blood',
])('%j is a page', (title) => {
  expect(wordsOf(`<title>${title}</title>`)?.title).toBe(title);
});
