/** What the commands share: the tools, opened for one command, and how they print. */
import type { OperatorTools } from '../app/app-operator.ts';

export interface WithTools {
  /** Opens the tools, runs `work` and closes them. */
  withTools(work: (tools: OperatorTools) => Promise<void>): Promise<void>;
  /** Prints lines. */
  say(text: string): void;
}
