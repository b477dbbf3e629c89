/** Asks the server for something, and shows a refusal in a dialog. */
import type { Result } from '@tunemate/protocol';
import { useModals } from '../ui/dialogs/modals.ts';
import type { BandInk } from '../ui/inks.ts';
import { type Instead, sentenceOf } from './errors.ts';

interface RefusalLook {
  /** The title, with the reason below it; the reason alone when left out. */
  failed?: string;
  instead?: Instead;
  band?: BandInk;
}

/** The function resolves to the value of the answer; to null once the user has read why it was refused. */
export function useAnswerOf(all: RefusalLook = {}) {
  const modals = useModals();
  return async <Value>(asked: Promise<Result<Value>>, own?: RefusalLook): Promise<Value | null> => {
    const answer = await asked;
    if (answer.ok) return answer.value;
    const { failed, instead, band } = { ...all, ...own };
    const reason = sentenceOf(answer.error, instead);
    await (failed === undefined ? modals.ok(reason, { band }) : modals.ok(failed, { text: reason, band }));
    return null;
  };
}
