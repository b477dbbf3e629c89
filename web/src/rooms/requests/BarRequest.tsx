/** The first of those who ask to join, with the answers to it, in one row of the room bar. */
import type { JoinRequest } from '@tunemate/protocol';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { othersWaiting } from '../join/admission-words.ts';
import styles from './BarRequest.module.css';
import { RequestAnswers } from './RequestAnswers.tsx';
import type { Answer } from './use-answer.ts';

export interface BarRequestProps {
  request: JoinRequest;
  /** How many wait, this one included. */
  waiting: number;
  onAnswer: Answer;
}

export function BarRequest({ request, waiting, onAnswer }: BarRequestProps) {
  return (
    <div className={styles.row}>
      <Avatar id={request.uid} name={request.name} size="sm" />
      <span className={styles.words}>
        <strong>{request.name}</strong>
        <span>{othersWaiting(waiting) ?? 'asks to join'}</span>
      </span>
      <RequestAnswers request={request} onAnswer={onAnswer} />
    </div>
  );
}
