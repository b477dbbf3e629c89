/** Proposing a track, and saying what became of it. */
import type { NamedTrack, RoomDocument } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { newClientId } from '../../connection/ids.ts';
import { sentenceOf } from '../../copy/errors.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { factsOf } from '../room-kinds.ts';
import { proposedWords } from './proposal-words.ts';

export function usePropose({ kind, code }: Pick<RoomDocument, 'kind' | 'code'>): (track: NamedTrack) => void {
  const { connection } = useApp();
  const modals = useModals();
  const toast = useToast();
  return ({ videoId, title, durationSeconds, startSeconds }) => {
    const track = { videoId, title, durationSeconds, ...(startSeconds !== undefined && { startSeconds }) };
    void connection
      .request('rooms/propose', { kind, code, clientId: newClientId(), track })
      .then(async (answer) =>
        answer.ok
          ? toast(proposedWords[answer.value.outcome])
          : await modals.ok(sentenceOf(answer.error), { band: factsOf(kind).ink }),
      );
  };
}
