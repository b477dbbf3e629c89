/** Answering and dismissing notifications, and saying so when it did not work. What worked shows by itself. */
import type { Result } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { notificationWords } from './notification-words.ts';
import { soulmateInstead } from '../copy/soulmate-instead.ts';
import { sentenceOf } from '../copy/sentences.ts';
import { useModals } from '../ui/dialogs/modals.ts';

export interface InboxActs {
  readonly accept: (id: string) => Promise<void>;
  readonly decline: (id: string) => Promise<void>;
  readonly dismiss: (id: string) => Promise<void>;
}

export function useInboxActs(): InboxActs {
  const { soulmate, notifications } = useApp();
  const modals = useModals();

  async function sayIfRefused(asking: Promise<Result<object>>): Promise<void> {
    const answer = await asking;
    if (answer.ok) return;
    await modals.ok(notificationWords.failed, { text: sentenceOf(answer.error, soulmateInstead), band: 'blush' });
  }

  return {
    accept: (id) => sayIfRefused(soulmate.accept(id)),
    decline: (id) => sayIfRefused(soulmate.decline(id)),
    dismiss: (id) => sayIfRefused(notifications.dismiss(id)),
  };
}
