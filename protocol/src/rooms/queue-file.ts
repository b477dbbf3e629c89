/** A playlist file that is read as a saved queue. No schema stands here: a page asks this without the code that reads schemas. */

export const queueFileBytes = 200 * 1024;

/** What it became: how many of its tracks are here, and what the others are called. */
export interface QueueFromFile {
  /** 'full': the person has as many queues as one may have. 'too-many': the file has more tracks than a queue holds. */
  outcome: 'saved' | 'full' | 'nothing' | 'too-many';
  found: number;
  missing: readonly string[];
}
