/** Reads the part of a file that a request asks for. */

/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  first: number;
  last: number;
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
