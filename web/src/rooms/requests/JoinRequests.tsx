/** Join requests with Accept and Reject: a panel of the sidebar, a banner for new ones, and a row of the room bar. */
import { limits, type JoinRequest, type RoomKind } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { sentences } from '../../words/errors.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useHolding, useRunningOut } from '../../ui/feedback/running-out.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { List } from '../../ui/lists/List.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { regainFocus } from '../../ui/lost-focus.ts';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { factsOf } from '../room-kinds.ts';
import type { Sidebar } from '../sidebar/sidebar.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import styles from './JoinRequests.module.css';
import banner from './RequestBanner.module.css';
import { requestSound } from './request-sound.ts';
import type { RequestsModel } from './requests-model.ts';
import { t } from '../../language/t.ts';

interface OfRoom {
  kind: RoomKind;
  model: RequestsModel;
}

/** In the sidebar and in full screen: the first request; all of them where `isWhole` or the user has opened them. */
export function RequestsPanel({ kind, model, sidebar, isWhole }: OfRoom & { sidebar: Sidebar; isWhole?: boolean }) {
  const { pending } = useReadable(model.state);
  const { panels, isRaised } = sidebar;
  // The focused button is gone when its request was answered or has expired.
  useEffect(
    () => regainFocus(pending.length > 0 ? document.querySelector('[data-panel="requests"]') : null),
    [pending],
  );
  const [first] = pending;
  if (first === undefined) return null;
  if (!isWhole && panels.requests === 'folded') {
    return (
      <section className={classNames(styles.panel, styles.folded)} aria-label={title}>
        <RequestRow
          key={first.uid}
          {...{ kind, model }}
          request={first}
          waiting={pending.length}
          onPress={() => sidebar.openDesk('requests')}
        />
      </section>
    );
  }
  return (
    <div className={styles.panel}>
      <Section
        title={isWhole ? wholeTitle : title}
        count={pending.length}
        action={pending.length > 1 && <AcceptAll {...{ kind, model, pending }} />}
      >
        <List>
          {pending.map((request) => (
            <li key={request.uid}>
              <RequestRow {...{ kind, model, request }} />
            </li>
          ))}
        </List>
        {isRaised && !isWhole && (
          <Button variant="ghost" small className={styles.more} aria-expanded onClick={() => sidebar.lower()}>
            {t`Show fewer`}
          </Button>
        )}
      </Section>
    </div>
  );
}

const wholeTitle = t`Requests`;
const title = t`Pending Join Requests`;

function AcceptAll({ kind, model, pending }: OfRoom & { pending: readonly JoinRequest[] }) {
  const modals = useModals();
  const toast = useToast();
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  const [isBusy, setIsBusy] = useState(false);
  const acceptAll = async (): Promise<void> => {
    setIsBusy(true);
    const asked = model.acceptAll(pending.map(({ uid }) => uid)).finally(() => setIsBusy(false));
    const { inside, isFull } = (await answerOf(asked)) ?? { inside: 0, isFull: false };
    if (inside > 0) toast(inside === 1 ? t`1 person let in` : t`${inside} people let in`);
    if (isFull) await modals.ok(sentences['room/full'], { band: factsOf(kind).ink });
  };
  return (
    <Button variant="ghost" small busy={isBusy} onClick={() => void acceptAll()}>
      {t`Accept all`}
    </Button>
  );
}

interface RequestRowProps extends OfRoom {
  request: JoinRequest;
  /** The number of all requests, where the others are not listed. */
  waiting?: number;
  /** Lists them. */
  onPress?: () => void;
}

function RequestRow({ kind, model, request, waiting = 1, onPress }: RequestRowProps) {
  const { uid, name } = request;
  const others = othersWaiting(waiting);
  const words = (
    <>
      <strong className={styles.name} dir="auto">
        {name}
      </strong>
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
      <Answers {...{ kind, model, request }} />
    </div>
  );
}

/**
 * Lasts five seconds and shows how long it has left; it waits while the pointer or the focus is in it. It takes no focus,
 * and what it announces also stands elsewhere on the page. Always mounted, so that screen readers announce new content.
 */
export function RequestBanner({ kind, model }: OfRoom) {
  const { pending, announced } = useReadable(model.state);
  const key = announced?.key;
  const first = announced?.requests[0];
  const shown = first && String(key);
  const others = othersWaiting(pending.length);
  const { isHeld, ...holding } = useHolding(shown);
  useRunningOut(shown, limits.joinRequestBannerMs, isHeld, () => model.dismiss());
  useEffect(() => {
    if (key !== undefined) requestSound.tick();
  }, [key]);
  return (
    <div className={banner.region} {...holding}>
      {first && (
        <div key={shown} className={classNames(banner.banner, isHeld && banner.held)}>
          <Avatar id={first.uid} name={first.name} />
          <output className={banner.words}>
            <span>{`${t`New Join Request from`} `}</span>
            <strong dir="auto">{first.name}</strong>
            {others !== undefined && <small dir="auto">{others}</small>}
          </output>
          <span className={banner.actions}>
            <Answers {...{ kind, model }} request={first} />
          </span>
          <span className={banner.time} aria-hidden="true" />
        </div>
      )}
    </div>
  );
}

export function BarRequest({ kind, model, request }: OfRoom & { request: JoinRequest }) {
  const { pending } = useReadable(model.state);
  return (
    <div className={styles.barRow}>
      <Avatar id={request.uid} name={request.name} size="sm" />
      <span className={styles.barWords}>
        <strong dir="auto">{request.name}</strong>
        <span>{othersWaiting(pending.length) ?? t`asks to join`}</span>
      </span>
      <Answers {...{ kind, model, request }} />
    </div>
  );
}

function Answers({ kind, model, request: { uid, name } }: OfRoom & { request: JoinRequest }) {
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  const [answering, setAnswering] = useState<'accept' | 'reject' | null>(null);
  const answer = async (given: 'accept' | 'reject'): Promise<void> => {
    if (answering !== null) return;
    setAnswering(given);
    await answerOf(model.answer(uid, given));
    setAnswering(null);
  };
  return (
    <>
      <Button variant="primary" small busy={answering === 'accept'} onClick={() => void answer('accept')}>
        <span>{t`Accept`}</span>
        <VisuallyHidden>{` ${name}`}</VisuallyHidden>
      </Button>
      <Button variant="danger" small busy={answering === 'reject'} onClick={() => void answer('reject')}>
        <span>{t`Reject`}</span>
        <VisuallyHidden>{` ${name}`}</VisuallyHidden>
      </Button>
    </>
  );
}

export function othersWaiting(people: number): string | undefined {
  if (people < 2) return undefined;
  return people === 2 ? t`and 1 more waits` : t`and ${people - 1} more wait`;
}
