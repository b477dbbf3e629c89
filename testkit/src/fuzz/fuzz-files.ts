/**
 * Requests to the addresses of files for a fuzzer: pictures that are whole, cut or changed in places, ranges and
 * conditions of every form, ids that exist and ids that lead elsewhere. The dice decide everything. Knows no server.
 */
import type { Dice, KnownValues } from './fuzz-payloads.ts';

/** As `HttpVisitor.fetch` takes it. */
export interface FileRequest {
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
}

const addresses = [
  ...['/media/:id', '/media/:id', '/media/:id', '/media/:id/cover', '/media/:id/subtitles/:id'],
  ...['/api/chats/images/:image', '/api/chats/images/:image/preview', '/api/accounts/export', '/metrics', '/status'],
  ...['/assets/:id', '/library/:id', '/:id', '/api/:id', '/healthz', '/readyz', '/csp-report', '/socket'],
];
const wrongIds = [
  ...[
    '',
    '..',
    '../../etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    '%',
    '%zz',
    '%E0%A4%A',
    '__proto__',
    'a'.repeat(5000),
  ],
  ...['lib_', 'lib_0123456789abcdef', ' ', '%20', '\\..\\', '?', '#', ';', '*', '%F0%9F%92%A5'],
];
const sizes = [
  '0',
  '1',
  '9',
  '499',
  '500',
  '1000000',
  '999999999999999',
  '9999999999999999999',
  '-1',
  '',
  '0x10',
  '1e3',
  ' 1',
];
const conditions = [
  '*',
  '""',
  '"x"',
  'W/"x"',
  '"x", "y"',
  'x',
  '"'.repeat(2000),
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'never',
];
const types = [
  ...['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml', 'application/json', 'text/plain'],
  ...['', '/', 'image/', 'image/png; charset=x', 'multipart/form-data', 'image/png'.repeat(200)],
];
const methods = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];
/** The most of a picture that is sent: what is larger is refused by its length alone. */
const mostChanges = 12;

/** `pictures` are whole files that the server takes. */
export function fileRequestMaker(dice: Dice, known: KnownValues, pictures: readonly Uint8Array[]) {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(dice() * from.length)] as T;
  const knownOr = (field: string): string => {
    const values = known.of(field);
    return values.length > 0 && dice() < 0.7 ? encodeURIComponent(String(pick(values))) : pick(wrongIds);
  };

  function range(): string {
    const part = () => `${pick(sizes)}-${pick(sizes)}`;
    const unit = pick(['bytes', 'bytes', 'bytes', 'Bytes', 'items', '']);
    return `${unit}${pick(['=', '=', '=', ' = ', ''])}${Array.from({ length: dice() < 0.8 ? 1 : 40 }, part).join(',')}`;
  }

  function headers(): Record<string, string> {
    const made: Record<string, string> = {};
    if (dice() < 0.6) made['range'] = range();
    for (const name of ['if-none-match', 'if-modified-since', 'if-range', 'if-match', 'accept-encoding']) {
      if (dice() < 0.2) made[name] = pick(conditions);
    }
    return made;
  }

  /** A picture as it is, cut, longer, or with bytes changed. */
  function picture(): Uint8Array<ArrayBuffer> {
    const bytes = Uint8Array.from(pick(pictures));
    const way = dice();
    if (way < 0.3) return bytes;
    if (way < 0.5) return bytes.slice(0, Math.floor(dice() * bytes.length));
    if (way < 0.6) return Uint8Array.from([...bytes, ...bytes]);
    const changes = 1 + Math.floor(dice() * mostChanges);
    // Most of what decides about a picture stands at its head.
    const within = dice() < 0.5 ? Math.min(64, bytes.length) : bytes.length;
    for (let n = 0; n < changes; n += 1) bytes[Math.floor(dice() * within)] = Math.floor(dice() * 256);
    return bytes;
  }

  function upload(): FileRequest {
    const to = dice() < 0.9 ? `?with=${knownOr('uid')}` : pick(['', '?with=', '?with=a&with=b', '?with[]=1', '?%']);
    const contentType = dice() < 0.8 ? pick(types.slice(0, 3)) : pick(types);
    const typed: Record<string, string> = contentType === '' ? {} : { 'content-type': contentType };
    return { path: `/api/chats/images${to}`, method: 'POST', headers: typed, body: picture() };
  }

  /** The next request. */
  return (): FileRequest => {
    if (dice() < 0.15) return upload();
    const path = pick(addresses).replace(':image', knownOr('imageId')).replaceAll(':id', knownOr('videoId'));
    return { path, method: pick(methods), headers: headers() };
  };
}
