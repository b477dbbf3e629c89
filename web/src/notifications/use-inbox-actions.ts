/** Answering and dismissing notifications, with a message when it failed. The list shows a success. */
import type { Result } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { notificationCopy } from './notification-words.ts';
import { soulmateInstead } from '../copy/soulmate-instead.ts';
import { sentenceOf } from '../copy/errors.ts';
import { useModals } from '../ui/dialogs/modals.ts';

export interface InboxActions {
  readonly accept: (id: string) => Promise<void>;
  readonly decline: (id: string) => Promise<void>;
  readonly dismiss: (id: string) => Promise<void>;
}

export function useInboxActions(): InboxActions {
  const { soulmate, notifications } = useApp();
  const modals = useModals();

  async function showIfRefused(asking: Promise<Result<object>>): Promise<void> {
    const answer = await asking;
    if (answer.ok) return;
    await modals.ok(notificationCopy.failed, { text: sentenceOf(answer.error, soulmateInstead), band: 'blush' });
  }

  return {
    accept: (id) => showIfRefused(soulmate.accept(id)),
    decline: (id) => showIfRefused(soulmate.decline(id)),
    dismiss: (id) => showIfRefused(notifications.dismiss(id)),
  };
}
