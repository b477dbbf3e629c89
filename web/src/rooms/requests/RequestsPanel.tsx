/** The door shelf of the rail: who asks to join. Full it lists requests, folded it answers the first. */
import type { JoinRequest } from '@tunemate/protocol';
import type { ReactNode } from 'react';
import { Button } from '../../ui/buttons/Button.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { othersWaiting } from '../join/admission-words.ts';
import styles from './RequestsPanel.module.css';
import { RequestAnswers } from './RequestAnswers.tsx';
import type { Answer } from './use-answer.ts';

/** `onAnswer` settles when the server has answered. */
export interface DoorShelfProps {
  /** Oldest first. */
  requests: readonly JoinRequest[];
  isFolded: boolean;
  /** How many requests a full door shows. */
  rows: number;
  onAnswer: Answer;
  /** A small button beside the heading, such as for all at once. */
  action?: ReactNode;
  /** Shows all requests. */
  onShowAll: () => void;
  /** Left out while only the first requests are shown. */
  onShowFewer?: (() => void) | undefined;
}

export function DoorShelf(props: DoorShelfProps) {
  const { requests, isFolded, rows, onAnswer, action, onShowAll, onShowFewer } = props;
  const [first] = requests;
  if (first === undefined) return null;
  if (isFolded) {
    return (
      <section className={classNames(styles.door, styles.folded)} aria-label={title}>
        <RequestRow key={first.uid} request={first} onAnswer={onAnswer} waiting={requests.length} onPress={onShowAll} />
      </section>
    );
  }
  return (
    <div className={styles.door}>
      <Section title={title} count={requests.length} action={action}>
        <List>
          {requests.slice(0, rows).map((request) => (
            <li key={request.uid}>
              <RequestRow request={request} onAnswer={onAnswer} />
            </li>
          ))}
        </List>
        {rows < requests.length && (
          <Button variant="ghost" small className={styles.more} aria-expanded={false} onClick={onShowAll}>
            {`Show all ${requests.length}`}
          </Button>
        )}
        {onShowFewer && (
          <Button variant="ghost" small className={styles.more} aria-expanded onClick={onShowFewer}>
            Show fewer
          </Button>
        )}
      </Section>
    </div>
  );
}

const title = 'Pending Join Requests';

interface RequestRowProps extends Pick<DoorShelfProps, 'onAnswer'> {
  request: JoinRequest;
  /** How many wait with this one, where the others are not listed. */
  waiting?: number;
  /** Shows the others. */
  onPress?: () => void;
}

function RequestRow({ request, onAnswer, waiting = 1, onPress }: RequestRowProps) {
  const { uid, name } = request;
  const others = othersWaiting(waiting);
  const words = (
    <>
      <strong className={styles.name}>{name}</strong>
      {others !== undefined && <span className={styles.others}>{others}</span>}
    </>
  );
  return (
    <div className={styles.row}>
      <Avatar id={uid} name={name} size="sm" />
      {onPress ? (
        <button type="button" className={styles.words} aria-expanded={false} onClick={onPress}>
          {words}
        </button>
      ) : (
        <span className={styles.words}>{words}</span>
      )}
      <RequestAnswers request={request} onAnswer={onAnswer} />
    </div>
  );
}
