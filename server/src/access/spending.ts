/** Tokens that are taken before some work, and given back where it turns out not to cost them. */
import type { Result } from '@tunemate/protocol';
import type { BucketName } from './bounds.ts';
import type { Limits } from './limits.ts';
import { accept } from '../system/ports.ts';

/** Tokens that were taken before a write, which must neither wait for them nor take them twice when it is repeated. */
export interface Reserved {
  /** What taking them answered: the refusal for a write that turns out to need them. */
  taken: Result<unknown>;
  /** For `afterCommit` of the write: so many of them were needed, by default all. */
  spend(count?: number): void;
}

/** Takes tokens before `work`, and puts back afterwards what it did not spend. */
export async function reserving<Answer>(
  limits: Pick<Limits, 'take' | 'giveBack'>,
  [name, key, count = 1]: readonly [BucketName, string, number?],
  work: (reserved: Reserved) => Promise<Answer>,
): Promise<Answer> {
  const taken = await limits.take(name, key, count);
  let spent = 0;
  try {
    return await work({ taken, spend: (needed = count) => (spent = needed) });
  } finally {
    if (taken.ok && spent < count) await limits.giveBack(name, key, count - spent);
  }
}

type Buckets = readonly (readonly [BucketName, string])[];

/** Takes one token of each, or none: the answer is the first refusal, or what puts all of them back. */
export async function takeOfEach(
  limits: Pick<Limits, 'take' | 'giveBack'>,
  buckets: Buckets,
): Promise<Result<{ giveBack: () => Promise<void> }>> {
  const taken: (typeof buckets)[number][] = [];
  const giveBack = async (): Promise<void> => {
    for (const [bucket, key] of taken) await limits.giveBack(bucket, key);
  };
  for (const each of buckets) {
    const answer = await limits.take(...each);
    if (!answer.ok) {
      await giveBack();
      return answer;
    }
    taken.push(each);
  }
  return accept({ giveBack });
}

/**
 * Limits the guesses of a secret where it is checked: only wrong tries count. Each try takes its tokens before the secret
 * is looked at, so that many at once are no more than one after another, and gets them back unless it was wrong.
 * `isWrong` says whether an answer was a wrong guess. Returns the answer of `attempt`, or the refusal of a limit.
 */
export async function guess<Value>(
  limits: Limits,
  buckets: Buckets,
  isWrong: (answer: Result<Value>) => boolean,
  attempt: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const taken = await takeOfEach(limits, buckets);
  if (!taken.ok) return taken;
  const { giveBack } = taken.value;
  try {
    const answer = await attempt();
    if (!isWrong(answer)) await giveBack();
    return answer;
  } catch (error) {
    await giveBack();
    throw error;
  }
}
