/**
 * How a request is declared: what it carries and what its acknowledgement holds. The requests of all features make one
 * table.
 */
import type { z } from 'zod';

export interface RequestDeclaration<Payload extends z.ZodType = z.ZodType, Value extends z.ZodType = z.ZodType> {
  payload: Payload;
  value: Value;
}

/** Declares one request: the schema of its payload and of the value it is acknowledged with. */
export function request<Payload extends z.ZodType, Value extends z.ZodType>(
  payload: Payload,
  value: Value,
): RequestDeclaration<Payload, Value> {
  return { payload, value };
}
