/**
 * Reads what music servers answer: what the protocol allows, and what servers are known to send. Errors of tracks and
 * pictures are XML (the protocol says so); servers that make JSON of XML have an object in place of a list of one (Ampache,
 * Madsonic) or of a numbered one, and numbers in place of words; older ones have older names of lists. Pure.
 */
import { z } from 'zod';

/** Words that look like a number are one to servers that make JSON of XML. */
export const text = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().max(5000))
  .optional()
  .catch(undefined);

/** The plug-in of Jellyfin writes numbers, and yes and no, as text. */
export const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,15}(?:\.\d{1,9})?$/)
    .transform(Number),
]);
export const yes = z
  .union([z.boolean(), z.string().transform((said) => said.toLowerCase() === 'true')])
  .optional()
  .catch(undefined);

const envelope = z.object({
  'subsonic-response': z.looseObject({
    status: z
      .string()
      .transform((said) => said.toLowerCase())
      .pipe(z.enum(['ok', 'failed'])),
    version: text,
    type: text,
    error: z.unknown().optional(),
  }),
});
export type SubsonicAnswer = z.infer<typeof envelope>['subsonic-response'];

/** What an answer is: of the protocol, a failure by its code, or something else. */
type ReadAnswer = { type: 'answer'; answer: SubsonicAnswer } | { type: 'failed'; code: number } | { type: 'other' };

export function readAnswer(body: Buffer): ReadAnswer {
  const said = body.toString().replace(/^\uFEFF?\s*/u, '');
  if (said.startsWith('<')) return failureInXml(said);
  let parsed: unknown;
  try {
    parsed = JSON.parse(said);
  } catch {
    return { type: 'other' };
  }
  const read = envelope.safeParse(parsed);
  if (!read.success) return { type: 'other' };
  const answer = read.data['subsonic-response'];
  if (answer.status === 'ok') return { type: 'answer', answer };
  const [error] = listOf(answer.error);
  return { type: 'failed', code: Number((error as { code?: unknown } | undefined)?.code) || 0 };
}

/** Only failures are read: lists are asked for as JSON. */
function failureInXml(said: string): ReadAnswer {
  const response = /<(?:\w{1,20}:)?subsonic-response\b[^>]{0,1000}>/u.exec(said)?.[0] ?? '';
  if (!/\sstatus\s*=\s*["']failed["']/iu.test(response)) return { type: 'other' };
  const error = /<(?:\w{1,20}:)?error\b([^>]{0,2000})/u.exec(said.slice(0, 10_000))?.[1] ?? '';
  return { type: 'failed', code: Number(/\scode\s*=\s*["'](\d{1,4})["']/u.exec(error)?.[1] ?? 0) };
}

/** A list, whatever stands in its place: one of it, a numbered object, nothing. */
export function listOf(said: unknown): readonly unknown[] {
  if (Array.isArray(said)) return said;
  if (typeof said !== 'object' || said === null) return [];
  const keys = Object.keys(said);
  if (keys.length === 0) return [];
  return keys.every((key) => /^\d+$/u.test(key)) ? Object.values(said) : [said];
}

/** A list in a part of an answer, by the first of the names that it has. */
export function listIn(answer: SubsonicAnswer, parts: readonly string[], lists: readonly string[]): readonly unknown[] {
  for (const part of parts) {
    const [inside] = listOf(answer[part]);
    for (const list of lists) {
      const found = listOf((inside as Record<string, unknown> | undefined)?.[list]);
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** Names, each alone or in an object. */
export const names = z
  .unknown()
  .transform((said) =>
    (typeof said === 'string' ? [said] : listOf(said)).flatMap((each) => {
      const name: unknown = typeof each === 'object' && each !== null ? (each as { name?: unknown }).name : each;
      return typeof name === 'string' || typeof name === 'number' ? [{ name: String(name) }] : [];
    }),
  )
  .transform((said) => (said.length === 0 ? undefined : said))
  .optional();
