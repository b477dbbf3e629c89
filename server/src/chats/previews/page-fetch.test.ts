/** Pages that lead into our network, redirect, never end, are something else, or are packed: each gives no preview. */
import { createSocket } from 'node:dgram';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type FakeWeb, sendPage, startFakeWeb, webAddress } from '@tunemate/testkit/fakes/fake-web';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isPublicAddress, openPublic, publicLine } from '../../system/outside.ts';
import { encodingOf } from '../../catalogue/library/text-encoding.ts';
import { fetchHead } from './page-fetch.ts';

let web: FakeWeb;
beforeEach(async () => {
  web = await startFakeWeb();
});
afterEach(() => web.close());

const never = new AbortController().signal;

async function fetched(address: string, ending = never): Promise<string | null> {
  const parts = { line: web.line, version: '1.2.3', encodingOf, mayAsk: () => Promise.resolve(true) };
  return await fetchHead(new URL(address), parts, ending).catch((error: Error) => `failed: ${error.message}`);
}
const page = 'https://news.example.org/a?b=c';
const askedFor = () => web.calls.map(({ host, path }) => host + path);

test('a page is asked for once, plainly: no cookie, no referrer, and who asks is named', async () => {
  expect(await fetched(page)).toBe('<title>news.example.org/a?b=c</title>');
  expect(web.calls.map(({ headers }) => headers)).toEqual([
    {
      accept: 'text/html',
      'accept-encoding': 'gzip',
      connection: 'close',
      host: 'news.example.org',
      'user-agent': 'Tunemate/1.2.3 (link preview)',
    },
  ]);
});

describe('addresses inside a network', () => {
  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://nas.local/',
    'http://news.example.org/',
    'https://news.example.org:8443/',
    'https://ann:secret@news.example.org/',
    'file:///etc/passwd',
  ])('%s is not asked', async (address) => {
    expect(await fetched(address)).toBeNull();
    expect(web.calls).toEqual([]);
  });

  test.each([
    ['loopback', ['127.0.0.2']],
    ['a private network', ['10.0.0.7']],
    ['a link-local address', ['169.254.169.254']],
    ['a carrier’s network', ['100.64.0.1']],
    ['no address at all', ['0.0.0.0']],
    ['loopback of IPv6', ['::1']],
    ['a unique local address', ['fd00::1']],
    ['a link-local address of IPv6', ['fe80::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['an address behind NAT64', ['64:ff9b::7f00:1']],
    ['an address behind 6to4', ['2002:7f00:1::']],
    ['a good address and a bad one', [webAddress, '10.0.0.7']],
    ['nothing', []],
  ])('a name that resolves to %s is not connected to (CHAT-37)', async (_what, addresses) => {
    web.names.set('news.example.org', addresses);
    expect(await fetched(page)).toMatch(/^failed: the name (?:resolves to a private network|has no address)$/u);
    expect(web.calls).toEqual([]);
  });

  test('the addresses that were judged are those connected to: a name is resolved once', async () => {
    const resolve = vi.spyOn(web.line, 'resolve').mockResolvedValueOnce([webAddress]).mockResolvedValue(['10.0.0.7']);
    expect(await fetched(page)).toContain('<title>');
    expect(resolve).toHaveBeenCalledOnce();
  });

  test('a literal address is refused also where no caller has looked at it', async () => {
    for (const address of ['https://127.0.0.1/', 'https://[::1]/']) {
      await expect(openPublic(web.line, new URL(address), { headers: {}, signal: never })).rejects.toThrow('literal');
    }
  });

  test('name servers are asked for addresses of both kinds, and one bad one of either is enough', async () => {
    const answers = new Map<string, Answers>([
      ['good.example.org', { v4: ['8.8.8.8'], v6: ['2606:4700::1111'] }],
      ['half.example.org', { v4: ['8.8.8.8'], v6: ['fd00::1'] }],
      ['old.example.org', { v4: ['8.8.8.8'] }],
    ]);
    await using server = await startNameServer(answers);
    const line = publicLine([server.address]);
    expect(await line.resolve('good.example.org')).toEqual(['8.8.8.8', '2606:4700::1111']);
    expect(await line.resolve('old.example.org')).toEqual(['8.8.8.8']);
    expect(await line.resolve('none.example.org')).toEqual([]);
    const asked = openPublic(line, new URL('https://half.example.org/'), { headers: {}, signal: never });
    await expect(asked).rejects.toThrow('private network');
    line.close();
  });

  test('outside of tests this machine is not public', () => {
    const { isPublic } = publicLine();
    expect(isPublic).toBe(isPublicAddress);
    expect(isPublic(webAddress)).toBe(false);
  });
});

interface Answers {
  v4?: readonly string[];
  v6?: readonly string[];
}

/** Answers questions for addresses of names, as RFC 1035 says. */
async function startNameServer(names: ReadonlyMap<string, Answers>) {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const labels: string[] = [];
    for (let at = 12; query[at]; at += 1 + (query[at] ?? 0)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)));
    }
    const isV6 = query.readUInt16BE(end - 4) === 28;
    const found = names.get(labels.join('.').toLowerCase());
    const records = ((isV6 ? found?.v6 : found?.v4) ?? []).map((address) => {
      const bytes = isV6 ? bytesOfV6(address) : Buffer.from(address.split('.').map(Number));
      return Buffer.concat([Buffer.from([0xc0, 12, 0, isV6 ? 28 : 1, 0, 1, 0, 0, 0, 9, 0, bytes.length]), bytes]);
    });
    const head = Buffer.from([0, 0, 0x81, found ? 0x80 : 0x83, 0, 1, 0, records.length, 0, 0, 0, 0]);
    query.copy(head, 0, 0, 2);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => void socket.bind(0, webAddress, resolve));
  return {
    address: `${webAddress}:${String(socket.address().port)}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  };
}

function bytesOfV6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::').map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .map((word) => word.padStart(4, '0'))
      .join(''),
  );
  return Buffer.from(head + '0'.repeat(32 - head.length - tail.length) + tail, 'hex');
}

describe('pages that stand before a page', () => {
  const leading = (html: string) => {
    web.answer = ({ path }, response) =>
      sendPage(response, path.includes('end') ? '<title>The end</title>' : `<head>${html}</head><title>Lead</title>`);
  };

  test.each([
    '<meta http-equiv="refresh" content="0;url=/end">',
    '<meta http-equiv="refresh" content="0;/end">',
    '<meta http-equiv="refresh" content="0 https://other.example.org/end">',
    "<noscript><META http-equiv='refresh' content=\"0; URL='https://other.example.org/end'\"></noscript>",
    '<meta content="1, url=end" http-equiv=Refresh>',
  ])('%s is followed as a redirect is', async (html) => {
    leading(html);
    expect(await fetched(page)).toContain('The end');
  });

  test.each([
    '<meta http-equiv="refresh" content="30;url=/end">',
    '<meta http-equiv="refresh" content="2">',
    '<!-- <meta http-equiv="refresh" content="0;url=/end"> -->',
    '<script>"<meta http-equiv=refresh content=0;url=/end>"</script>',
  ])('%s is a page of its own', async (html) => {
    leading(html);
    expect(await fetched(page)).toContain('Lead');
  });

  test.each(['http://127.0.0.1/end', 'https://localhost/end', 'javascript:alert(1)', 'https://10.0.0.7/end'])(
    'one that leads to %s leads nowhere',
    async (address) => {
      leading(`<meta http-equiv="refresh" content="0;url=${address}">`);
      expect(await fetched(page)).toBeNull();
      expect(web.calls).toHaveLength(1);
    },
  );

  test('one that leads to itself for ever is left after three', async () => {
    leading('<meta http-equiv="refresh" content="0;url=/a?again">');
    web.answer = ({ path }, response) =>
      sendPage(response, `<meta http-equiv="refresh" content="0;url=${path}x"><title>On</title>`);
    expect(await fetched(page)).toBeNull();
    expect(web.calls).toHaveLength(4);
  });

  test.each(['consent.example.org', 'accounts.example.org', 'login.example.com'])(
    'a redirect to %s shows nothing',
    async (host) => {
      web.answer = ({ host: asked }, response) =>
        asked === host
          ? sendPage(response, '<title>Sign in</title>')
          : response.writeHead(302, { location: `https://${host}/m?continue=x` }).end();
      expect(await fetched(page)).toBeNull();
      expect(await fetched(`https://${host}/about`)).toContain('Sign in');
    },
  );
});

test('a head that is longer than a packet is read to its end, whatever its scripts and comments write', async () => {
  const script = `<script>document.write("<body>");// ${'x'.repeat(100_000)}</script><!-- </head> -->`;
  web.answer = (_call, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(`<html><head>${script}`);
    response.end(`<title>Behind</title></head><body>${'y'.repeat(1000)}`);
  };
  expect(await fetched(page)).toContain('<title>Behind</title>');
});

describe('redirects', () => {
  const redirect = (to: (path: string) => string, status = 302) => {
    web.answer = ({ path }, response) => {
      if (path.includes('end')) sendPage(response, '<title>The end</title>');
      else response.writeHead(status, { location: to(path), 'set-cookie': 'a=b' }).end();
    };
  };

  test.each([301, 302, 303, 307, 308])('status %d is followed, without its cookie', async (status) => {
    redirect(() => '/end#part', status);
    expect(await fetched(page)).toContain('The end');
    expect(askedFor()).toEqual(['news.example.org/a?b=c', 'news.example.org/end']);
    expect(web.calls[1]?.headers).not.toHaveProperty('cookie');
  });

  test('three are followed, not four', async () => {
    redirect((path) => (path.length < 4 ? `${path}x` : '/end'));
    expect(await fetched('https://news.example.org/x')).toContain('The end');
    web.calls.length = 0;
    expect(await fetched('https://news.example.org/')).toBeNull();
    expect(web.calls).toHaveLength(4);
  });

  test.each([
    'http://news.example.org/end',
    'https://127.0.0.1/end',
    'https://[::1]/end',
    'https://2130706433/end',
    'https://localhost/end',
    'https://news.example.org:22/end',
    'https://ann:secret@news.example.org/end',
    '//10.0.0.7/end',
    'file:///etc/passwd',
    'data:text/html,<title>end</title>',
    'https://',
  ])('to %s it ends there', async (location) => {
    redirect(() => location);
    expect(await fetched(page)).toBeNull();
    expect(web.calls).toHaveLength(1);
  });

  test('to a name that resolves to a private network it ends there', async () => {
    redirect(() => 'https://inner.example.org/end');
    web.names.set('inner.example.org', ['192.168.1.1']);
    expect(await fetched(page)).toMatch(/^failed: .*private network$/u);
    expect(web.calls).toHaveLength(1);
  });

  test('every host on the way is counted, and one that had its share ends it', async () => {
    redirect(() => 'https://other.example.org/end');
    const hosts: string[] = [];
    const mayAsk = ({ hostname }: URL) => Promise.resolve(hosts.push(hostname) < 2);
    expect(await fetchHead(new URL(page), { line: web.line, version: '1', encodingOf, mayAsk }, never)).toBeNull();
    expect(hosts).toEqual(['news.example.org', 'other.example.org']);
    expect(web.calls).toHaveLength(1);
  });
});

describe('answers that are no page', () => {
  test.each(['application/json', 'image/svg+xml', 'text/html-not', 'application/xhtml+xml', 'text/plain', ''])(
    'of type %j',
    async (type) => {
      web.answer = (_call, response) => sendPage(response, '<title>x</title>', { 'content-type': type });
      expect(await fetched(page)).toBeNull();
    },
  );

  test.each([201, 204, 404, 500])('with status %d', async (status) => {
    web.answer = (_call, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end();
    expect(await fetched(page)).toBeNull();
  });

  test.each(['br', 'deflate', 'zstd', 'gzip, gzip'])('packed as %s, which was not asked for', async (encoding) => {
    web.answer = (_call, response) => sendPage(response, 'x', { 'content-encoding': encoding });
    expect(await fetched(page)).toBeNull();
  });

  test('that end the connection, or speak another protocol', async () => {
    web.answer = (_call, response) => void response.socket?.destroy();
    expect(await fetched(page)).toMatch(/^failed/u);
    web.answer = (_call, response) =>
      void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n');
    expect(await fetched(page)).toBeNull();
    web.answer = (_call, response) => void response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(99_999)}\r\n\r\n`);
    expect(await fetched(page)).toMatch(/^failed/u);
  });
});

describe('answers without an end', () => {
  const most = 64 * 1024 * 1024;
  /** Sends the same bytes again and again, as fast as they are read. */
  function sendWithoutEnd(again: Buffer, headers: Record<string, string> = {}, first: readonly number[] = []) {
    const sent = { bytes: 0 };
    web.answer = (_call, response) => {
      response.writeHead(200, { 'content-type': 'text/html', ...headers });
      response.write(Buffer.from(first));
      const more = (): void => {
        while (!response.destroyed && sent.bytes < most) {
          sent.bytes += again.length;
          if (!response.write(again)) return void response.once('drain', more);
        }
      };
      more();
    };
    return sent;
  }

  test('a body is read to 256 KB, and the connection is then closed', async () => {
    const sent = sendWithoutEnd(Buffer.alloc(65_536, 'x'));
    expect(await fetched(page)).toHaveLength(256 * 1024);
    await expect.poll(() => web.open()).toBe(0);
    expect(sent.bytes).toBeLessThan(most);
  });

  test('a packed body that unpacks to nothing is read to 256 KB', async () => {
    // Stored blocks of no bytes.
    const blocks = Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])));
    const sent = sendWithoutEnd(blocks, { 'content-encoding': 'gzip' }, [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    expect(await fetched(page)).toBe('');
    await expect.poll(() => web.open()).toBe(0);
    expect(sent.bytes).toBeLessThan(most);
  });

  test('nothing is read behind the head of the page', async () => {
    web.answer = (_call, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('<html><head><title>Here</title></he');
      void setTimeout(5).then(() => response.write('ad><body>'));
    };
    expect(await fetched(page)).toBe('<html><head><title>Here</title></head><body>');
    await expect.poll(() => web.open()).toBe(0);
  });

  test('one that comes a byte at a time, and one that never begins, end with the time', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      expect(ms).toBe(5000);
      const soon = new AbortController();
      void setTimeout(200).then(() => soon.abort());
      return soon.signal;
    });
    try {
      web.answer = (_call, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const drip = setInterval(() => response.write('x'), 10);
        response.once('close', () => clearInterval(drip));
      };
      expect(await fetched(page)).toMatch(/^failed/u);
      web.answer = () => undefined;
      expect(await fetched(page)).toMatch(/^failed/u);
      await expect.poll(() => web.open()).toBe(0);
    } finally {
      timeout.mockRestore();
    }
  });

  test('what is under way ends when the server stops', async () => {
    const ending = new AbortController();
    web.answer = () => ending.abort();
    expect(await fetched(page, ending.signal)).toMatch(/^failed/u);
  });
});

describe('packed answers', () => {
  const gzip = { 'content-encoding': 'gzip' };

  test('one is unpacked', async () => {
    web.answer = (_call, response) => sendPage(response, gzipSync('<title>Packed</title>'), gzip);
    expect(await fetched(page)).toBe('<title>Packed</title>');
  });

  test('one that unpacks to 64 MB is unpacked to 256 KB', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'x'), { level: 9 });
    web.answer = (_call, response) => sendPage(response, bomb, gzip);
    expect(await fetched(page)).toHaveLength(256 * 1024);
  });

  test('one that is none fails', async () => {
    web.answer = (_call, response) => sendPage(response, '<title>x</title>', gzip);
    expect(await fetched(page)).toMatch(/^failed/u);
  });
});

describe('encodings', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');
  test.each([
    ['of the header', latin('<title>Müde</title>'), 'text/html; charset=ISO-8859-1', 'Müde'],
    ['of a meta element', latin('<meta charset="windows-1252"><title>Müde</title>'), 'text/html', 'Müde'],
    [
      'of an older meta element',
      latin('<meta http-equiv=Content-Type content="text/html; charset=iso-8859-15"><title>Müde</title>'),
      'text/html',
      'Müde',
    ],
    ['unnamed UTF-8', Buffer.from('<title>Müde</title>'), 'text/html', 'Müde'],
    ['unnamed and no UTF-8', latin('<title>Müde</title>'), 'text/html', 'Müde'],
    [
      'unnamed Cyrillic',
      latin(`<meta name=description content="x"><title>\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0</title>`),
      'text/html',
      'Привет, мир',
    ],
    [
      'unnamed Greek of a page that names its language',
      latin('<html lang="el"><title>\xca\xe1\xeb\xe7\xec\xdd\xf1\xe1</title>'),
      'text/html',
      'Καλημέρα',
    ],
    [
      'unnamed Japanese',
      Buffer.concat([
        latin('<title>'),
        Buffer.from([0x83, 0x6a, 0x83, 0x85, 0x81, 0x5b, 0x83, 0x58]),
        latin('</title>'),
      ]),
      'text/html',
      'ニュース',
    ],
    ['a mark at the beginning', Buffer.from('\ufeff<title>Müde</title>', 'utf16le'), 'text/html', 'Müde'],
    [
      'of a meta element far behind',
      latin(`<script>${'x'.repeat(3000)}</script><meta charset=windows-1252><title>Müde</title>`),
      'text/html',
      'Müde',
    ],
    ['UTF-16 named in plain bytes', Buffer.from('<meta charset="utf-16"><title>Müde</title>'), 'text/html', 'Müde'],
    ['UTF-16 by another of its names', Buffer.from('<meta charset="unicode"><title>Müde</title>'), 'text/html', 'Müde'],
    [
      'named in a comment',
      Buffer.from('<!-- <meta charset="koi8-r"> --><title>Müde</title><!-- a <!-- b -->'),
      'text/html',
      'Müde',
    ],
    ['one that is none', Buffer.from('<title>Müde</title>'), 'text/html; charset=klingon', 'Müde'],
    ['Japanese', Buffer.from([0x82, 0xa0, 0x82, 0xa2]), 'text/html; charset="shift_jis"', 'あい'],
  ])('%s', async (_what, bytes, type, words) => {
    web.answer = (_call, response) => sendPage(response, bytes, { 'content-type': type });
    expect(await fetched(page)).toContain(words);
  });
});
