/** At which pace the requests of one customer begin, and their answers go out. */
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { customerOf } from '../system/networks.ts';
import { createPace, type PaceBounds } from '../system/pace.ts';
import { refuse } from '../system/ports.ts';
import { RefusedRequest } from './answers.ts';

/**
 * Of one customer: far more than twenty people behind one address cause, who may not ask for more than a tenth of this all
 * the time. The pages of six open at once, those of twenty within a second: what begins at once keeps others waiting.
 * Where more wait, the next ones are refused.
 */
const requestPace: PaceBounds = { burst: 250, perSecond: 1000 };
const mostWaiting = 1750;
/** Of one customer: eight films of the largest size at a time, and of each what a player needs to begin at once. */
const bytePace: PaceBounds = { burst: 32 * 1024 * 1024, perSecond: 64 * 1024 * 1024 };
/** Smaller answers go out as they are. */
const leastPacedBytes = 16 * 1024;
/** Of what comes: three of the largest pictures at once, and as many again each second. */
const bodyPace: PaceBounds = { burst: 16 * 1024 * 1024, perSecond: 16 * 1024 * 1024 };
const againAfterMs = 10_000;

/** Of RATE_LIMIT_SCALE; a smaller one makes nobody slower. */
function scaled({ burst, perSecond }: PaceBounds, scale: number): PaceBounds {
  const times = Math.max(1, scale);
  return { burst: burst * times, perSecond: perSecond * times };
}

/**
 * Resolves when a request of this network may begin, and its body may be read: also the body of a request that is refused
 * later is read to its end. Throws the refusal of one where too many wait.
 */
export function paceRequests(
  scale: number,
  refused: (network: string) => void,
): (network: string, bodyBytes: number) => Promise<void> {
  const pace = createPace(scaled(requestPace, scale));
  const bodies = createPace(scaled(bodyPace, scale));
  return async (network, bodyBytes) => {
    const customer = customerOf(network);
    if (pace.waitingOf(customer) >= mostWaiting) {
      refused(network);
      throw new RefusedRequest(refuse('limit/too-many', { retryAfterMs: againAfterMs }));
    }
    await pace.take(customer, 1);
    if (bodyBytes >= leastPacedBytes) await bodies.take(customer, Math.min(bodyBytes, bodyPace.burst));
  };
}

interface AnswersDeps {
  networkOf: (request: IncomingMessage) => string;
  scale: number;
  bytes?: PaceBounds | undefined;
}

/** Files, pictures and pages go out by turns, and to nobody faster than their share of the line. */
export function paceAnswers(http: FastifyInstance, { networkOf, scale, bytes = bytePace }: AnswersDeps): void {
  const pace = createPace(scaled(bytes, scale));
  http.addHook('onSend', async (request, _reply, payload: unknown) => {
    const customer = customerOf(networkOf(request.raw));
    if (Buffer.isBuffer(payload) && payload.length >= leastPacedBytes) await pace.take(customer, payload.length);
    if (!(payload instanceof Readable)) return payload;
    const paced = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const wait = pace.take(customer, chunk.length);
        if (wait === undefined) done(null, chunk);
        else void wait.then(() => done(null, chunk));
      },
    });
    // Ending one of the two streams ends both.
    return pipeline(payload, paced, () => undefined);
  });
}
