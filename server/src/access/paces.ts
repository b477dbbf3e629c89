/** The bounds that make callers wait in place of refusing them, as entries of the same form as `bounds`. */
import type { PaceBounds } from '../system/pace.ts';
import type { Counted } from './bound.ts';

/** Of one process. RATE_LIMIT_SCALE multiplies them. */
export const paces = {
  /**
   * Far more than twenty people behind one address cause, who may not ask for more than a fifth of this all the time. The
   * pages of nine open at once, those of twenty within a second.
   */
  httpRequests: {
    key: 'network',
    burst: 400,
    perSecond: 500,
    of: 'HTTP requests of an address that begin; beyond it they wait',
    attack: 'a loop of requests that keeps all others waiting',
  },
  /** Eight films of the largest size at a time, and of each what a player needs to begin at once. */
  sentBytes: {
    key: 'network',
    burst: 32 * 1024 * 1024,
    perSecond: 64 * 1024 * 1024,
    of: 'bytes of files, pictures and pages to an address; beyond it they wait',
    attack: 'downloads that fill the line of the server',
  },
  /** Three of the largest pictures at once, and as many again each second. */
  receivedBytes: {
    key: 'network',
    burst: 16 * 1024 * 1024,
    perSecond: 16 * 1024 * 1024,
    of: 'bytes of bodies of an address; beyond it they wait',
    attack: 'uploads that fill the memory of the server',
  },
  /** The rooms and lists of forty people at once, and then those of twenty each second. */
  answerBytes: {
    key: 'network',
    burst: 16 * 1024 * 1024,
    perSecond: 8 * 1024 * 1024,
    of: 'bytes of answers over sockets to an address; beyond it requests wait',
    attack: 'many accounts of one address that ask for the longest answers',
  },
  /** While other networks ask. A hundred people who listen and talk cause a tenth of it. */
  networkMs: {
    key: 'network',
    burst: 1500,
    perSecond: 400,
    of: 'ms of the process for the requests of an address, while others ask too; beyond it they wait',
    attack: 'the dearest requests of many accounts of one address in a loop',
  },
  personMs: {
    key: 'person',
    burst: 800,
    perSecond: 250,
    of: 'ms of the process for the requests of a person; beyond it they wait',
    attack: 'the dearest requests of one account in a loop',
  },
  socketRequests: {
    key: 'socket',
    burst: 60,
    perSecond: 20,
    of: 'requests of a connection; one far beyond it is closed',
    attack: 'a connection that sends faster than refusals are written',
  },
} as const satisfies Record<string, Counted & PaceBounds>;
