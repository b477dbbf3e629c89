/** On home: requests and invitations that wait for an answer, before everything else. */
import { noticeKinds, type Notification } from '@tunemate/protocol';
import { useState } from 'react';
import { useApp, useUser } from '../app-context.ts';
import { invitationOf } from '../notifications/invitation.ts';
import { messageOf } from '../notifications/notice-words.ts';
import { notificationWords } from '../notifications/notification-words.ts';
import { RequestAnswers } from '../notifications/RequestAnswers.tsx';
import { useInboxActions } from '../notifications/use-inbox-actions.ts';
import { factsOf, joinLink } from '../rooms/room-kinds.ts';
import { useNow } from '../store/use-now.ts';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { List } from '../ui/lists/List.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import styles from './WaitingForYou.module.css';
import { t } from '../language/t.ts';

const mostShown = 3;
/** 'Not now' hides an invitation here until the page is loaded again; the inbox keeps it. */
const hiddenHere = new Set<string>();

export function WaitingForYou({ notifications }: { notifications: readonly Notification[] }) {
  const { serverNowMs } = useApp();
  const actions = useInboxActions();
  const [isWhole, setIsWhole] = useState(false);
  const [, setHidings] = useState(0);
  const nowMs = useNow(serverNowMs);
  const waiting = notifications
    .filter((one) => !hiddenHere.has(one.id) && waits(one, nowMs))
    .toSorted((one, other) => Number(asksForAnswer(other)) - Number(asksForAnswer(one)));
  if (waiting.length === 0) return null;
  const hide = (id: string): void => {
    hiddenHere.add(id);
    setHidings((count) => count + 1);
  };
  return (
    <Section title={title} count={waiting.length} flush>
      <List label={title}>
        {waiting.slice(0, isWhole ? undefined : mostShown).map((one) => (
          <li key={one.id} className={styles.item} data-band={one.type === 'soulmate' ? 'blush' : undefined}>
            <Avatar id={one.senderUid} name={one.senderName} />
            <p className={styles.words}>
              <span id={idOf(one)} dir="auto">
                {messageOf(one)}
              </span>
              {!asksForAnswer(one) && <small>{invitationOf(one, nowMs).detail}</small>}
            </p>
            <div className={styles.keys} {...groupOf(one)}>
              {asksForAnswer(one) ? (
                <RequestAnswers
                  isPlain={one.type !== 'soulmate'}
                  onAccept={() => actions.answer(one, true)}
                  onDecline={() => actions.answer(one, false)}
                />
              ) : (
                <InvitationKeys invitation={one} nowMs={nowMs} onHide={() => hide(one.id)} />
              )}
            </div>
          </li>
        ))}
      </List>
      {!isWhole && waiting.length > mostShown && (
        <Button variant="ghost" small onClick={() => setIsWhole(true)}>{t`Show all ${String(waiting.length)}`}</Button>
      )}
    </Section>
  );
}

const title = t`Waiting for you`;

const idOf = ({ id }: Notification): string => `waiting-${id}`;
/** Its keys alone do not tell whose they are. */
const groupOf = (one: Notification) => ({ role: 'group', 'aria-labelledby': idOf(one) }) as const;

const asksForAnswer = ({ type }: Notification): boolean => noticeKinds[type].leads === 'answer';

/** A request, or an invitation that still leads somewhere. */
function waits(notification: Notification, nowMs: number): boolean {
  if (asksForAnswer(notification)) return true;
  const { leads } = invitationOf(notification, nowMs);
  return noticeKinds[notification.type].leads === 'invitation' && (leads === 'in' || leads === 'ask');
}

interface InvitationKeysProps {
  invitation: Notification;
  nowMs: number;
  onHide: () => void;
}

function InvitationKeys({ invitation, nowMs, onHide }: InvitationKeysProps) {
  const { taps } = useApp();
  const user = useUser();
  const { room } = invitation;
  if (room === null) return null;
  const href = joinLink(room.kind, room.code);
  return (
    <>
      <span data-band={factsOf(room.kind).ink}>
        <ButtonLink href={href} onClick={() => taps.begin(href, user.uid)} variant="primary">
          {invitationOf(invitation, nowMs).leads === 'in' ? notificationWords.join : notificationWords.askToJoin}
        </ButtonLink>
      </span>
      <Button variant="ghost" onClick={onHide}>
        {t`Not now`}
      </Button>
    </>
  );
}
