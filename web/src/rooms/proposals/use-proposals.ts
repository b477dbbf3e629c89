/** Asks for what can be done with a proposal, and says what was refused. Each answers whether it is done. */
import type { ErrorCode, Refusal, Result, RoomDocument } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { newClientId } from '../../connection/ids.ts';
import { sentenceOf } from '../../copy/errors.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { factsOf } from '../room-kinds.ts';
import { proposalWords } from './proposal-words.ts';

export interface Proposals {
  add(proposalId: string): Promise<boolean>;
  dismiss(proposalId: string): Promise<boolean>;
  vote(proposalId: string, isOn: boolean): Promise<boolean>;
}

const instead: Partial<Record<ErrorCode, string>> = { 'access/not-found': proposalWords.gone };

export function useProposals({ kind, code }: Pick<RoomDocument, 'kind' | 'code'>): Proposals {
  const { connection } = useApp();
  const modals = useModals();
  const address = { kind, code };
  const tell = async (refusal: Refusal): Promise<void> =>
    await modals.ok(sentenceOf(refusal, instead), { band: factsOf(kind).ink });
  const done = async (asked: Promise<Result<unknown>>): Promise<boolean> => {
    const answer = await asked;
    if (!answer.ok) await tell(answer.error);
    return answer.ok;
  };
  return {
    add: (proposalId) =>
      done(connection.request('rooms/addProposal', { ...address, clientId: newClientId(), proposalId })),
    dismiss: (proposalId) => done(connection.request('rooms/dismissProposal', { ...address, proposalId })),
    vote: (proposalId, isOn) => done(connection.request('rooms/voteForProposal', { ...address, proposalId, isOn })),
  };
}
