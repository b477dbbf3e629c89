/**
 * Limits the guesses of a secret where it is checked: only wrong tries count. Each try takes its tokens before the secret
 * is looked at, so that many at once are no more than one after another, and gets them back unless it was wrong.
 */
import type { Result } from '@tunemate/protocol';
import type { BucketName, Limits } from './limits.ts';

type Buckets = readonly (readonly [BucketName, string])[];

/** The answer of `attempt`, or the refusal of a limit. `isWrong` says whether an answer was a wrong guess. */
export async function guess<Value>(
  limits: Limits,
  buckets: Buckets,
  isWrong: (answer: Result<Value>) => boolean,
  attempt: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
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
  try {
    const answer = await attempt();
    if (!isWrong(answer)) await giveBack();
    return answer;
  } catch (error) {
    await giveBack();
    throw error;
  }
}
