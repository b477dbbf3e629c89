/**
 * What misbehaving clients send: each script takes one protocol through the server in named stages. Written byte by
 * byte, because no well-behaved client library would stop in the middle.
 */
import { randomUUID } from 'node:crypto';
import { byeWord, pongWord, protocolVersion, socketPath, writeRequest } from '@tunemate/protocol';

export interface RudeTarget {
  readonly port: number;
  /** The origin that the server takes for its own. */
  readonly origin: string;
  /** `Cookie` of a signed-in user, whose tabs misbehave. */
  readonly cookie: string;
}

export interface Step {
  /** Where the connection is when it breaks off within or behind these bytes. */
  readonly stage: string;
  readonly bytes: Buffer;
  /** What must have arrived before the next step; null waits for nothing. */
  readonly until: RegExp | null;
}

export interface RudeScript {
  readonly name: string;
  readonly steps: readonly Step[];
}

const crlf = '\r\n';
const step = (stage: string, text: string | Buffer, until: RegExp | null = null): Step => ({
  stage,
  bytes: typeof text === 'string' ? Buffer.from(text, 'latin1') : text,
  until,
});
const nothing = step('before a byte', '');

/** A request in the stages in which it travels. */
function request(line: string, headers: readonly string[], body = ''): Step[] {
  const length = body === '' ? [] : [`Content-Length: ${String(body.length)}`];
  const steps = [
    nothing,
    step('within the request line', line + crlf),
    step('within the headers', [...headers, ...length].join(crlf) + crlf + crlf),
  ];
  return [
    ...steps,
    ...(body === '' ? [] : [step('within the body', body)]),
    step('waiting for the answer', '', /HTTP\/1\.1 \d/),
    step('reading the answer', ''),
  ];
}

/** A text frame as browsers send it: masked. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = Buffer.from([0x12, 0x34, 0x56, 0x78]);
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

const upgradeHeaders = (protocol: string): string[] => [
  'Connection: Upgrade',
  `Upgrade: ${protocol}`,
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** The way of a page: upgrade, hello, a request, ping and pong. */
function socketScript({ origin, cookie }: RudeTarget, random: () => number): RudeScript {
  const host = new URL(origin).host;
  const headers = [`Host: ${host}`, `Origin: ${origin}`, `Cookie: ${cookie}`, ...upgradeHeaders('websocket')];
  const hello = writeRequest(0, 'session/hello', { protocolVersion, tabId: randomUUID() });
  const asked = writeRequest(1, random() < 0.5 ? 'chats/list' : 'clock/probe', {});
  return {
    name: 'socket',
    steps: [
      ...request(`GET ${socketPath} HTTP/1.1`, headers).slice(0, 3),
      step('upgrade before 101', '', /101 Switching/),
      step('upgrade after 101', ''),
      step('within a word', frame(pongWord)),
      step('within hello', frame(hello)),
      step('during hello', '', /\[0,/),
      step('within a request', frame(asked)),
      step('during a request', '', /\[1,/),
      step('after a request', ''),
      step('within a farewell', frame(byeWord)),
    ],
  };
}

function httpScript({ origin, cookie }: RudeTarget, random: () => number): RudeScript {
  const common = [`Host: ${new URL(origin).host}`, `Origin: ${origin}`, `Cookie: ${cookie}`];
  const json = [...common, 'Content-Type: application/json'];
  const signIn = JSON.stringify({ email: 'nobody@example.test', password: 'three green bicycles' });
  const image = 'x'.repeat(4000);
  const choices: Step[][] = [
    request('GET /healthz HTTP/1.1', common),
    request('GET /api/session HTTP/1.1', common),
    request('GET /api/accounts/export HTTP/1.1', common),
    request('GET /no/such/page HTTP/1.1', [...common, 'Connection: close']),
    request('POST /api/accounts/sign-in HTTP/1.1', json, signIn),
    request('POST /api/chats/images?with=nobody HTTP/1.1', [...common, 'Content-Type: image/png'], image),
    request('POST /csp-report HTTP/1.1', [...common, 'Content-Type: application/csp-report'], '{"csp-report":{}}'),
  ];
  return { name: 'HTTP', steps: choices[Math.floor(random() * choices.length)] ?? [] };
}

/** Upgrades to unknown protocols, and on paths that take no upgrade. */
function strangeUpgrade({ origin }: RudeTarget, random: () => number): RudeScript {
  const host = [`Host: ${new URL(origin).host}`, `Origin: ${origin}`];
  const paths = [
    '/x',
    socketPath,
    `${socketPath}?transport=polling`,
    '/api/session',
    `${socketPath}/further`,
    '/socket.io/?EIO=4&transport=websocket',
  ];
  const path = paths[Math.floor(random() * paths.length)] ?? '/x';
  const [name, headers] = (
    [
      ['h2c', [...host, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']],
      ['unknown upgrade', [...host, ...upgradeHeaders('irc/6.9')]],
      ['websocket elsewhere', [...host, ...upgradeHeaders('websocket')]],
      ['CONNECT', [...host]],
    ] as const
  )[Math.floor(random() * 4)] ?? ['h2c', host];
  const line = name === 'CONNECT' ? 'CONNECT example.org:443 HTTP/1.1' : `GET ${path} HTTP/1.1`;
  return { name, steps: [...request(line, headers), step('talking on regardless', frame('[1]'))] };
}

/** Protocols of other kinds of server. */
function otherProtocol(random: () => number): RudeScript {
  const garbage = Buffer.from(Array.from({ length: 300 }, () => Math.floor(random() * 256)));
  const tls = Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x00, 0xc8, 0x01, 0x00, 0x00, 0xc4, 0x03, 0x03]), garbage]);
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
  const [name, bytes] = (
    [
      ['TLS hello', tls],
      ['HTTP/2 preface', preface],
      ['garbage', garbage],
    ] as const
  )[Math.floor(random() * 3)] ?? ['garbage', garbage];
  return { name, steps: [nothing, step('within the first bytes', bytes), step('waiting for the answer', '', /./)] };
}

export function scriptOf(target: RudeTarget, random: () => number): RudeScript {
  const dice = random();
  if (dice < 0.5) return socketScript(target, random);
  if (dice < 0.75) return httpScript(target, random);
  return dice < 0.9 ? strangeUpgrade(target, random) : otherProtocol(random);
}
