/** Accept and Reject for one request; one answer at a time. */
import type { JoinRequest } from '@tunemate/protocol';
import { useState } from 'react';
import { Button } from '../../ui/buttons/Button.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import type { Answer } from './use-answer.ts';

export function RequestAnswers({ request, onAnswer }: { request: JoinRequest; onAnswer: Answer }) {
  const { uid, name } = request;
  const [answering, setAnswering] = useState<'accept' | 'reject' | null>(null);
  const answer = (given: 'accept' | 'reject'): void => {
    if (answering !== null) return;
    setAnswering(given);
    void onAnswer(uid, given).finally(() => setAnswering(null));
  };
  return (
    <>
      <Button variant="primary" small busy={answering === 'accept'} onClick={() => answer('accept')}>
        Accept<VisuallyHidden> {name}</VisuallyHidden>
      </Button>
      <Button variant="danger" small busy={answering === 'reject'} onClick={() => answer('reject')}>
        Reject<VisuallyHidden> {name}</VisuallyHidden>
      </Button>
    </>
  );
}
