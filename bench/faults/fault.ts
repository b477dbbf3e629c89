/** What a fault is: where it can happen, what it does to a set-up while people talk, and what must hold besides. */
import type { Scenario } from './scenario.ts';
import type { SetUp, SetUpName } from './set-ups.ts';

export interface FaultScene {
  readonly setUp: SetUp;
  readonly scenario: Scenario;
  /** As long as the table of faults says, instead of a moment. */
  readonly isLong: boolean;
  readonly random: () => number;
}

export interface Fault {
  /** A name to call it by. */
  readonly id: string;
  readonly what: string;
  /** Why it can't happen on a set-up, or is not tried there. */
  readonly not?: Partial<Record<SetUpName, string>>;
  /** It needs a set-up whose data lie on a small disk of its own. */
  readonly onSmallDisk?: boolean;
  /** It takes tens of seconds also in its short form. */
  readonly isSlow?: boolean;
  /**
   * It moves the servers' clocks: what was written then is later than what follows, so the set-up is not used again.
   */
  readonly movesClocks?: boolean;
  /** Others may see that the person is away. */
  readonly mayShowOffline?: boolean;
  /** Messages can't be sent for a reason that the page gives. */
  readonly mayFail?: boolean;
  /** Breaks something amid traffic and mends it again. Answers what was wrong, beside what the judge finds. */
  run(scene: FaultScene): Promise<string[] | undefined>;
  /** Once all were judged: what ends the scenario in another way than the host. */
  last?(scene: FaultScene): Promise<string[]>;
}

/** A problem unless it holds. */
export const wrongUnless = (holds: boolean, problem: string): string[] => (holds ? [] : [problem]);
