/** The host's list of people who ask to join. */
import type { JoinRequest } from '@tunemate/protocol';
import { useState } from 'react';
import { Button } from '../ui/buttons/Button.tsx';
import { List } from '../ui/lists/List.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import styles from './PendingRequests.module.css';

/** `onAnswer` settles when the server has answered. */
export interface PendingRequestsProps {
  requests: readonly JoinRequest[];
  onAnswer: (uid: string, answer: 'accept' | 'reject') => Promise<void>;
}

export function PendingRequests({ requests, onAnswer }: PendingRequestsProps) {
  return (
    <Section title="Pending Join Requests" count={requests.length}>
      <List>
        {requests.map((request) => (
          <li key={request.uid}>
            <PendingRequest request={request} onAnswer={onAnswer} />
          </li>
        ))}
      </List>
    </Section>
  );
}

function PendingRequest({ request, onAnswer }: Omit<PendingRequestsProps, 'requests'> & { request: JoinRequest }) {
  const { uid, name } = request;
  const [answering, setAnswering] = useState<'accept' | 'reject' | null>(null);
  const answer = (given: 'accept' | 'reject'): void => {
    if (answering !== null) return;
    setAnswering(given);
    void onAnswer(uid, given).finally(() => setAnswering(null));
  };
  return (
    <div className={styles.row}>
      <Avatar id={uid} name={name} size="sm" />
      <strong className={styles.name}>{name}</strong>
      <Button variant="primary" small busy={answering === 'accept'} onClick={() => answer('accept')}>
        Accept<VisuallyHidden> {name}</VisuallyHidden>
      </Button>
      <Button variant="danger" small busy={answering === 'reject'} onClick={() => answer('reject')}>
        Reject<VisuallyHidden> {name}</VisuallyHidden>
      </Button>
    </div>
  );
}
