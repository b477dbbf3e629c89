/**
 * Checks requests and answers of HTTP by our zod schemas: what Fastify needs of a compiler of each, and nothing of
 * documents about them.
 */
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { safeEncode, safeParse, type ZodType } from 'zod';
import { type Refused, refuse } from '../system/ports.ts';
import { RefusedRequest } from './answers.ts';

/** The first field that the schema refused; unknown names come from the client and are not repeated. */
function invalid(path: readonly PropertyKey[]): Refused {
  const field = String(path.find((part) => part !== '') ?? '');
  return /^[a-zA-Z]{1,40}$/.test(field) ? refuse('input/invalid', { field }) : refuse('input/invalid');
}

/** What does not fit is refused before the handler. */
export const readWith: FastifySchemaCompiler<ZodType> =
  ({ schema }) =>
  (sent) => {
    const read = safeParse(schema, sent);
    return read.success
      ? { value: read.data }
      : { error: new RefusedRequest(invalid(read.error.issues[0]?.path ?? [])) };
  };

/** Only what the schema names leaves; an answer that does not fit is our mistake, and fails. */
export const writeWith: FastifySerializerCompiler<ZodType> =
  ({ schema, method, url }) =>
  (answer) => {
    const written = safeEncode(schema, answer);
    if (!written.success) throw new Error(`an answer to ${method} ${url} is not its own`, { cause: written.error });
    return JSON.stringify(written.data);
  };
