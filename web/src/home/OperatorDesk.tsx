/** On the home of a person who runs the server: that they do, once, and who waits for them while no mail server is set. */
import type { RouteValue, WaitingPerson } from '@tunemate/protocol';
import { useCallback, useState } from 'react';
import { useApp } from '../app-context.ts';
import type { App } from '../app.ts';
import { t } from '../language/t.ts';
import { cell } from '../store/cell.ts';
import { useBusy } from '../store/use-busy.ts';
import { useModel } from '../store/use-model.ts';
import { type Now, useNow } from '../store/use-now.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { useToast } from '../ui/feedback/toasts.ts';
import { KeyIcon, LinkIcon } from '../ui/icons/door-icons.tsx';
import { List } from '../ui/lists/List.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { clockTime } from '../words/dates.ts';
import { sentenceOf } from '../words/errors.ts';
import sheet from './OperatorDesk.css?inline';
import { ownSheet } from '../ui/own-sheet.ts';
import { useAtRest } from './use-at-rest.ts';

const styles = ownSheet('desk', sheet);

export function OperatorDesk() {
  const app = useApp();
  const model = useModel(useCallback(() => createDesk(app), [app]));
  return model && <Slips model={model} />;
}

function Slips({ model: { desk: now, look } }: { model: ReturnType<typeof createDesk> }) {
  const { callRoute, serverNowMs } = useApp();
  const desk = useAtRest(useReadable(now));
  const nowMs = useNow(serverNowMs);
  const { isBusy, run } = useBusy();
  const modals = useModals();
  if (desk === null) return null;
  const { isNew, waiting } = desk;
  const told = async (): Promise<void> => {
    await callRoute('POST /api/operator/told', {});
    await look();
  };
  async function refuseAll(): Promise<void> {
    const isSure = await modals.confirm({ ...words.refuseQuestion(waiting.length), danger: true });
    if (isSure) await callRoute('POST /api/operator/refuse', {});
    await look();
  }
  return (
    <>
      {isNew && (
        <section className={styles.slip} aria-label={words.runs}>
          <p>
            <strong>{words.runs}</strong>
            <span>{t`People who sign up from elsewhere wait for you.`}</span>
          </p>
          <Button small busy={isBusy} onClick={() => run(told)}>
            {t`OK`}
          </Button>
        </section>
      )}
      {waiting.length > 0 && (
        <div className={styles.desk}>
          <Section
            title={words.title}
            count={waiting.length}
            action={
              <Button variant="ghost" small busy={isBusy} onClick={() => run(refuseAll)}>
                {t`Refuse all`}
              </Button>
            }
          >
            <List label={words.title}>
              {waiting.map((person) => (
                <Row key={person.id} person={person} nowMs={nowMs} onDone={look} />
              ))}
            </List>
          </Section>
        </div>
      )}
      <VisuallyHidden>
        <output>{waiting.length > 0 ? words.someWait(waiting.length) : ''}</output>
      </VisuallyHidden>
    </>
  );
}

type Desk = RouteValue<'GET /api/operator'>;

/** Read again whenever the server says that the list has changed, and when the page is connected again. */
function createDesk({ callRoute, connection }: Pick<App, 'callRoute' | 'connection'>) {
  const desk = cell<Desk | null>(null);
  async function look(): Promise<void> {
    const answer = await callRoute('GET /api/operator', {});
    if (answer.ok) desk.set(answer.value);
  }
  void look();
  const ends = [
    connection.onEphemeral((event) => (event.type === 'operators/waiting' ? void look() : undefined)),
    connection.status.subscribe(() => (connection.status.get().status === 'live' ? void look() : undefined)),
  ];
  return { desk, look, close: () => ends.forEach((end) => end()) };
}

interface RowProps {
  person: WaitingPerson;
  nowMs: Now;
  onDone: () => Promise<void>;
}

function Row({ person, nowMs, onDone }: RowProps) {
  const { id, kind, name, email, number, at } = person;
  const time = clockTime(at, nowMs);
  const nameId = `waits-${id}`;
  return (
    <li className={styles.row}>
      <span className={styles.number}>{number ?? <KeyIcon size={24} />}</span>
      <p className={styles.words}>
        <strong id={nameId} dir="auto">
          {name}
        </strong>
        <span>{detailOf[kind](email, time)}</span>
      </p>
      <div className={styles.keys} {...groupOf(nameId)}>
        {kind === 'sign-up' ? (
          <LetInKeys id={id} onDone={onDone} />
        ) : (
          <LinkKey id={id} name={name} isKnown={kind === 'known'} onDone={onDone} />
        )}
      </div>
    </li>
  );
}

/** Its keys alone do not tell whose they are. */
const groupOf = (nameId: string) => ({ role: 'group', 'aria-labelledby': nameId }) as const;

function LetInKeys({ id, onDone }: { id: string; onDone: () => Promise<void> }) {
  const { callRoute } = useApp();
  const modals = useModals();
  const { isBusy, run } = useBusy();
  const answer = (name: 'POST /api/operator/let-in' | 'POST /api/operator/refuse') => () =>
    run(async () => {
      const done = await callRoute(name, { id });
      // Another operator may have answered.
      if (!done.ok && done.error.code !== 'access/not-found') await modals.ok(sentenceOf(done.error));
      await onDone();
    });
  return (
    <>
      <Button variant="primary" small busy={isBusy} onClick={answer('POST /api/operator/let-in')}>
        {t`Let in`}
      </Button>
      <Button small busy={isBusy} onClick={answer('POST /api/operator/refuse')}>
        {words.refuse}
      </Button>
    </>
  );
}

/** The operator hands the link over; the page that asked for it never gets it. */
function LinkKey({
  id,
  name,
  isKnown,
  onDone,
}: {
  id: string;
  name: string;
  isKnown: boolean;
  onDone: () => Promise<void>;
}) {
  const { callRoute } = useApp();
  const modals = useModals();
  const toast = useToast();
  const { isBusy, run } = useBusy();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    const answer = await callRoute('POST /api/operator/reset-link', { id });
    if (!answer.ok) {
      await modals.ok(sentenceOf(answer.error));
      return await onDone();
    }
    if (await copyText(answer.value.link)) setIsCopied(true);
    else await modals.ok(answer.value.link);
    toast(words.copied);
  };
  const refuse = async (): Promise<void> => {
    await callRoute('POST /api/operator/refuse', { id });
    await onDone();
  };
  return (
    <>
      <Button small busy={isBusy} icon={<LinkIcon />} onClick={() => run(copy)}>
        {isCopied ? words.copied : words.copyFor(name.trim().split(/\s+/)[0] ?? name)}
      </Button>
      {isKnown && (
        <Button small busy={isBusy} onClick={() => run(refuse)}>
          {words.refuse}
        </Button>
      )}
    </>
  );
}

const detailOf: Record<WaitingPerson['kind'], (email: string, time: string) => string> = {
  'sign-up': (email, time) => t`${email} · signed up ${time}`,
  known: (email, time) => t`${email} · has an account, signed up again ${time}`,
  reset: (email, time) => t`${email} · forgot the password ${time} · the link works for an hour`,
};

const words = {
  runs: t`You run this server`,
  title: t`Waiting for you`,
  refuse: t`Refuse`,
  refuseQuestion: (count: number) => ({
    question: t`Refuse all ${String(count)} who wait?`,
    consequence: t`Their sign-ups end. They can sign up again.`,
    action: t`Refuse all`,
  }),
  copyFor: (name: string) => t`Copy the link for ${name}`,
  copied: t`Copied, works for an hour`,
  someWait: (count: number) => t`${String(count)} waiting for you`,
} as const;
