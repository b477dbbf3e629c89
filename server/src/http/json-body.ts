/**
 * Reads request bodies: JSON and nothing else, uncompressed, of a shape any of our messages could have.
 */
import type { FastifyInstance } from 'fastify';
import { isWithinJsonLimits } from '../realtime/json-limits.ts';
import { refuse } from '../system/ports.ts';
import { RefusedRequest } from './answers.ts';

export function readOnlyJson(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      const body: unknown = JSON.parse(String(text));
      if (!isWithinJsonLimits(body)) throw new SyntaxError('JSON outside the limits');
      done(null, body);
    } catch {
      done(new RefusedRequest(refuse('input/invalid')));
    }
  });
  http.addHook('onRequest', (request, _reply, done) => {
    // A compressed body has no size before it is unpacked; we never unpack one.
    const encoding = request.headers['content-encoding'] ?? 'identity';
    done(encoding === 'identity' ? undefined : new RefusedRequest(refuse('input/too-large')));
  });
}
