/** The part of a file that a request asks for: reading what is asked, and answering with it. */
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Positions of the first and the last byte, both included. */
interface ByteRange {
  first: number;
  last: number;
}

/** A file, or a part of it, as it is read. */
export interface FilePart {
  /** Of the whole. */
  size: number;
  /** Null for the whole. */
  part: ByteRange | null;
  /** Null when the range begins behind the end. */
  bytes: Readable | null;
}

type RangeAnswer = { type: 'whole' } | { type: 'part'; range: ByteRange } | { type: 'unsatisfiable' };

/**
 * The Range header (RFC 9110 §14), for one range of bytes. Anything that is not a single well-formed byte range is
 * ignored, as the standard allows; only a range that starts past the end can't be satisfied. `size` is the length of the
 * whole in bytes.
 */
export function readRange(header: string | undefined, size: number): RangeAnswer {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '');
  if (match === null) return { type: 'whole' };
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return { type: 'whole' };
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? { type: 'unsatisfiable' } : { type: 'part', range: { first: size - length, last: size - 1 } };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return { type: 'whole' };
  return first >= size ? { type: 'unsatisfiable' } : { type: 'part', range: { first, last } };
}

/** Says which bytes of how many the answer has, and answers the first and the last of them. */
export function describePart(reply: FastifyReply, { size, part }: Omit<FilePart, 'bytes'>): ByteRange {
  const { first, last } = part ?? { first: 0, last: size - 1 };
  if (part !== null) reply.code(206).header('content-range', `bytes ${String(first)}-${String(last)}/${String(size)}`);
  reply.header('content-length', last - first + 1);
  return { first, last };
}

export function sendPastEnd(reply: FastifyReply, size: number): FastifyReply {
  const headers = { 'content-range': `bytes */${String(size)}`, 'cache-control': 'no-store' };
  return reply.code(416).headers(headers).send();
}
