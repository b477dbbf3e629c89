/** How much of what people do is told to a person who never answered them. */
import type { Result, Uid } from '@tunemate/protocol';
import type { StreamRecord } from '../storage/record.ts';
import { accept } from '../system/ports.ts';
import { mayNotice } from './ties.ts';

export interface ReachDeps {
  record: Pick<StreamRecord, 'db'>;
  /** Takes tokens of a bound, or refuses. */
  limits: { take(bound: 'unanswered', key: string, count: number): Promise<Result<unknown>> };
}

/**
 * Before an act that the other's pages receive, in so many packets. All people together whom a person never answered have
 * so many of these a second; the first message of each has a bound of its own.
 */
export const mayReach = async (
  { record, limits }: ReachDeps,
  caller: Uid,
  other: Uid,
  packets = 1,
): Promise<Result<unknown>> =>
  (await mayNotice(record.db, caller, other)) ? accept({}) : await limits.take('unanswered', other, packets);
