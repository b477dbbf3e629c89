/** Join requests with Accept and Reject: a panel of the sidebar, a banner for new ones, and a row of the room bar. */
import { limits, type JoinRequest, type RoomKind } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { sentences } from '../../words/errors.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { RunningLine } from '../../ui/feedback/RunningLine.tsx';
import { useHolding, useRunningOut } from '../../ui/feedback/running-out.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { CloseIcon } from '../../ui/icons/icons.tsx';
import { useWindowWidth } from '../../ui/layout/use-wide-screen.ts';
import { List } from '../../ui/lists/List.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { regainFocus } from '../../ui/lost-focus.ts';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { factsOf } from '../room-kinds.ts';
import type { Sidebar } from '../sidebar/sidebar.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import type { Elements } from '../../ui/OwnText.tsx';
import ask from './AskCard.module.css';
import styles from './JoinRequests.module.css';
import banner from './RequestBanner.module.css';
import { requestSound } from './request-sound.ts';
import type { RequestsModel } from './requests-model.ts';
import { t } from '../../language/t.ts';

interface OfRoom {
  kind: RoomKind;
  model: RequestsModel;
}

/** In full screen the first request; all of them at the opened desk, and where the user has opened them. */
export function RequestsPanel({
  kind,
  model,
  sidebar,
  close,
}: OfRoom & {
  sidebar: Sidebar;
  /** Of the desk, where all of them are listed. */
  close?: Elements;
}) {
  const { pending } = useReadable(model.state);
  const { panels, isRaised } = sidebar;
  // The focused button is gone when its request was answered or has expired.
  useEffect(
    () => regainFocus(pending.length > 0 ? document.querySelector('[data-panel="requests"]') : null),
    [pending],
  );
  const isWhole = close !== undefined;
  const [first] = pending;
  if (first === undefined && !isWhole) return null;
  if (first !== undefined && !isWhole && panels.requests === 'folded') {
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
        title={title}
        count={pending.length > 0 ? pending.length : undefined}
        action={
          <>
            {pending.length > 1 && <AcceptAll {...{ kind, model, pending }} />}
            {close}
          </>
        }
      >
        {pending.length === 0 && <p className={styles.none}>{t`Nobody asks to come in.`}</p>}
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
  const words = (
    <>
      <strong className={styles.name} dir="auto">
        {name}
      </strong>
      {waiting !== undefined && waiting > 1 && <span className={styles.others}>{asksWith(waiting)}</span>}
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
  const { isHeld, ...holding } = useHolding(shown);
  useRunningOut(shown, limits.joinRequestBannerMs, isHeld, () => model.dismiss());
  useEffect(() => {
    if (key !== undefined) requestSound.tick();
  }, [key]);
  return (
    <div className={banner.region} {...holding}>
      {first && (
        <div key={shown} className={banner.banner}>
          <Avatar id={first.uid} name={first.name} />
          <output className={banner.words}>
            <span>{`${newRequest} `}</span>
            <strong dir="auto">{first.name}</strong>
            {pending.length > 1 && <small dir="auto">{asksWith(pending.length)}</small>}
          </output>
          <span className={banner.actions}>
            <Answers {...{ kind, model }} request={first} />
          </span>
          <RunningLine lastsMs={limits.joinRequestBannerMs} isHeld={isHeld} />
        </div>
      )}
    </div>
  );
}

interface AskCardProps extends OfRoom {
  /** While all requests are listed. */
  isCovered: boolean;
  /** Lists them. */
  onPress: () => void;
}

/**
 * Over the desk, or over what stands above it: the oldest request with its answers, until it is answered. A new one is
 * announced, and while it is new a line runs out.
 */
export function AskCard({ kind, model, isCovered, onPress }: AskCardProps) {
  const { pending, announced } = useReadable(model.state);
  const isSlim = useWindowWidth() === 'slim';
  const [first] = pending;
  const key = announced?.key;
  const shown = key === undefined ? undefined : String(key);
  const { isHeld, ...holding } = useHolding(shown);
  useRunningOut(shown, limits.joinRequestBannerMs, isHeld, () => model.dismiss());
  useEffect(() => {
    if (key !== undefined) requestSound.tick();
  }, [key]);
  // The focused key is gone when its request was answered or has expired.
  useEffect(
    () => regainFocus(pending.length > 0 ? document.querySelector('[data-panel="requests"]') : null),
    [pending],
  );
  const isNew = announced !== null && pending.length === 1;
  return (
    <>
      <output className={ask.announced}>
        {announced && <VisuallyHidden>{`${newRequest} ${announced.requests[0]?.name ?? ''}`}</VisuallyHidden>}
      </output>
      {first && !isCovered && (
        <section key={first.uid} className={ask.card} aria-label={title} data-ask {...holding}>
          <Avatar id={first.uid} name={first.name} size="sm" />
          <button type="button" className={ask.words} aria-expanded={false} onClick={onPress}>
            {isNew && <span>{`${newRequest} `}</span>}
            <strong dir="auto">{first.name}</strong>
            {!isNew && <span>{` ${asksWith(pending.length)}`}</span>}
          </button>
          <span className={ask.keys}>
            <Answers {...{ kind, model }} request={first} hasCross={isSlim} />
          </span>
          {shown !== undefined && (
            <RunningLine key={shown} lastsMs={limits.joinRequestBannerMs} isHeld={isHeld} atTop />
          )}
        </section>
      )}
    </>
  );
}

const newRequest = t`New Join Request from`;

export function BarRequest({ kind, model, request }: OfRoom & { request: JoinRequest }) {
  const { pending } = useReadable(model.state);
  return (
    <div className={styles.barRow}>
      <Avatar id={request.uid} name={request.name} size="sm" />
      <span className={styles.barWords}>
        <strong dir="auto">{request.name}</strong>
        <span>{asksWith(pending.length)}</span>
      </span>
      <Answers {...{ kind, model, request }} />
    </div>
  );
}

interface AnswersProps extends OfRoom {
  request: JoinRequest;
  /** In place of 'Reject', where the name needs the room. */
  hasCross?: boolean;
}

function Answers({ kind, model, request: { uid, name }, hasCross = false }: AnswersProps) {
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
      <Button
        variant="danger"
        small
        icon={hasCross && <CloseIcon size={18} />}
        busy={answering === 'reject'}
        onClick={() => void answer('reject')}
      >
        {hasCross ? <VisuallyHidden>{t`Reject`}</VisuallyHidden> : <span>{t`Reject`}</span>}
        <VisuallyHidden>{` ${name}`}</VisuallyHidden>
      </Button>
    </>
  );
}

/** After a name: 'asks to join', 'asks, and 2 more'. `people` counts all who ask. */
export function asksWith(people: number): string {
  return people < 2 ? t`asks to join` : t`asks, and ${String(people - 1)} more`;
}
