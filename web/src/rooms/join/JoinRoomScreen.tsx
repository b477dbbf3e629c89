/** Asking to join a room of either kind: the form, then the page that waits for the host's answer. */
import { bare, limits, roomIn, type RoomKind } from '@tunemate/protocol';
import { useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { navigate, useSearch } from '../../store/address.ts';
import { useApp, useUser } from '../../app-context.ts';
import { deviceClock } from '../../store/clock.ts';
import { startClockSync } from '../../playback/clock-sync.ts';
import { pageTimers } from '../../playback/players/page-timers.ts';
import { useModel } from '../../store/use-model.ts';
import { onTapRecord, takeTapRecord } from '../../shell/tap-records.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button, ButtonLink, Spinner } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import fieldStyles from '../../ui/fields/Field.module.css';
import { Form } from '../../ui/fields/Form.tsx';
import { ClockIcon } from '../../ui/icons/door-icons.tsx';
import { AppLayout } from '../../ui/layout/AppLayout.tsx';
import { TaskPage } from '../../ui/layout/TaskPage.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import { factsOf, joinLink } from '../room-kinds.ts';
import styles from './JoinRoomScreen.module.css';
import { createJoinModel, type JoinModel, type JoinStatus } from './join-model.ts';
import { t } from '../../language/t.ts';

/** The animation of the record before the room appears. */
const slideMs = 520;

export function JoinRoomScreen({ kind }: { kind: RoomKind }) {
  const { connection } = useApp();
  // `pageTimers` are not throttled in a background tab, so that the request is renewed there too.
  const open = useCallback(
    () => createJoinModel(connection, kind, pageTimers, linkedCode(location.search)),
    [connection, kind],
  );
  const model = useModel(open);
  // Starts to measure the server's clock before the room needs it.
  useEffect(() => {
    const { schedule } = deviceClock;
    return startClockSync({ connection, nowMs: () => performance.now(), schedule }).stop;
  }, [connection]);
  return model === null ? null : <JoinRoom kind={kind} model={model} />;
}

function JoinRoom({ kind, model }: { kind: RoomKind; model: JoinModel }) {
  const self = useUser();
  const facts = factsOf(kind);
  // A link may contain the code. It fills the form and sends nothing.
  const query = useSearch();
  const status = useReadable(model.status);
  const [code, setCode] = useState(() => (status.status === 'waiting' ? status.code : linkedCode(query)));
  useMessages(status, model, kind);
  useEntrance(status, kind);
  useTaps(kind, code, model);

  const isWaiting = status.status === 'waiting';
  return (
    <AppLayout band={facts.ink} title={facts.bandTitle}>
      <TaskPage
        art={
          <Sleeve
            code={isWaiting || status.status === 'admitted' ? status.code : code}
            record={<Vinyl person={{ id: self.uid, name: self.name }} />}
            peek={0.44}
            waiting={isWaiting}
            recordInside={status.status === 'admitted'}
          />
        }
      >
        {isWaiting || status.status === 'admitted' ? (
          <Waiting />
        ) : (
          <>
            <h1>{facts.joinTitle}</h1>
            {status.status === 'idle' && status.hasLapsed && (
              <Note tone="quiet" icon={<ClockIcon size={18} />}>
                {t`Your request has lapsed, because this page was away for more than a minute. Ask again when you like.`}
              </Note>
            )}
            <Form onSubmit={() => void model.ask(code)}>
              <CodeField
                value={code}
                onChange={(typed) => {
                  const room = roomIn(typed);
                  setCode(codeTyped(typed));
                  // A link to a room of the other kind was pasted.
                  if (room !== null && room.kind !== null && room.kind !== kind) {
                    navigate(`${factsOf(room.kind).joinPath}?code=${room.code}`);
                  }
                }}
              />
              <ButtonGroup>
                <Button type="submit" variant="primary" block busy={status.status === 'asking'}>
                  {t`Join Session`}
                </Button>
                <ButtonLink href={facts.createPath} block>
                  {t`Create New Room`}
                </ButtonLink>
                <ButtonLink href="/" variant="ghost" block>
                  {t`Back to Home`}
                </ButtonLink>
              </ButtonGroup>
            </Form>
          </>
        )}
      </TaskPage>
    </AppLayout>
  );
}

/** Asks at once when the user has tapped the invitation that leads here. */
function useTaps(kind: RoomKind, code: string, model: JoinModel): void {
  const { taps } = useApp();
  const { uid } = useUser();
  const askIfTapped = useEffectEvent(async () => {
    const link = joinLink(kind, code);
    if (taps.take(link, uid) || (await takeTapRecord(link))) await model.ask(code, true);
  });
  useEffect(() => {
    void askIfTapped();
    return onTapRecord(() => void askIfTapped());
  }, []);
}

const linkedCode = (query: string): string => codeTyped(new URLSearchParams(query).get('code') ?? '');

/**
 * Longer text was pasted, and may hold the code somewhere. Shorter is shown as typed; the server reads it by the same
 * rules.
 */
function codeTyped(typed: string): string {
  // White space and invisible marks must not take the place of characters.
  const letters = bare(typed.replaceAll(/\s/g, '')).toUpperCase();
  const found = letters.length > limits.roomCodeInputLength ? roomIn(typed) : null;
  return found?.code ?? letters.slice(0, limits.roomCodeInputLength);
}

function Waiting() {
  const minutes = useMinutesMounted();
  return (
    <>
      <output className={styles.waiting}>
        <h1>{t`Waiting for Host Approval...`}</h1>
        <span className={styles.hint}>
          <Spinner />
          <span>{t`Don't leave this page`}</span>
        </span>
      </output>
      <p
        className={styles.lasts}
      >{`${askedAgo(minutes)} ${t`The host sees it wherever they are in Tunemate. It ends a minute after you close this page.`}`}</p>
      <div className={styles.back}>
        <ButtonLink href="/" variant="ghost" block>
          {t`Back to Home`}
        </ButtonLink>
      </div>
    </>
  );
}

function askedAgo(minutes: number): string {
  if (minutes < 1) return t`Asked just now.`;
  return minutes === 1 ? t`Asked 1 minute ago.` : t`Asked ${minutes} minutes ago.`;
}

function useMinutesMounted(): number {
  const [minutes, setMinutes] = useState(0);
  useEffect(() => {
    const sinceMs = Date.now();
    const timer = setInterval(() => setMinutes(Math.floor((Date.now() - sinceMs) / 60_000)), 5000);
    return () => clearInterval(timer);
  }, []);
  return minutes;
}

function useMessages(status: JoinStatus, model: JoinModel, kind: RoomKind): void {
  const modals = useModals();
  const message = status.status === 'idle' ? status.message : null;
  const show = useEffectEvent(async ({ message: title, text }: NonNullable<typeof message>) => {
    await modals.ok(title, { text, band: factsOf(kind).ink });
    model.acknowledge();
  });
  useEffect(() => {
    if (message !== null) void show(message);
  }, [message]);
}

/** Opens the room: after waiting once the record has slid in, else at once. */
function useEntrance(status: JoinStatus, kind: RoomKind): void {
  const hasWaited = useRef(false);
  const code = status.status === 'admitted' ? status.code : null;
  useEffect(() => {
    if (status.status === 'waiting') hasWaited.current = true;
  }, [status.status]);
  useEffect(() => {
    if (code === null) return undefined;
    const slides = hasWaited.current && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    const timer = setTimeout(() => navigate(factsOf(kind).roomPath(code), { replace: true }), slides ? slideMs : 0);
    return () => clearTimeout(timer);
  }, [code, kind]);
}

interface CodeFieldProps {
  value: string;
  onChange: (typed: string) => void;
}

function CodeField({ value, onChange }: CodeFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={t`Room code`}>
      {(wiring) => (
        <input
          {...wiring}
          placeholder="ROOM123"
          type="text"
          dir="ltr"
          className={classNames(fieldStyles.input, fieldStyles.code)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoCapitalize="characters"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
        />
      )}
    </Field>
  );
}
