/** Asking to be let into a room of either kind: the code prints its cover, and your disc waits half out of it. */
import { limits, type RoomKind } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Connection } from '../../connection/port.ts';
import type { JoinModel, JoinStatus } from '../../rooms/join-model.ts';
import { factsOf } from '../../rooms/room-kinds.ts';
import { roomSentences } from '../../rooms/room-sentences.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { CodeField } from '../../ui/fields/CodeField.tsx';
import { Form } from '../../ui/fields/Form.tsx';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { TaskPage } from '../../ui/frame/TaskPage.tsx';
import { Button } from '../../ui/keys/Button.tsx';
import { ButtonGroup } from '../../ui/keys/ButtonGroup.tsx';
import { ButtonLink } from '../../ui/keys/ButtonLink.tsx';
import { Spindle } from '../../ui/keys/Spindle.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import { useJoinModel } from './use-join-model.ts';
import styles from './JoinRoomScreen.module.css';

/** `initialCode` comes from a link; with `asksAtOnce` the request goes out without another press. */
export interface JoinRoomScreenProps {
  kind: RoomKind;
  connection: Connection;
  self: { uid: string; name: string };
  initialCode?: string | undefined;
  asksAtOnce?: boolean | undefined;
}

/** How long a disc takes into its sleeve (the design's slide), before the room appears. */
const SLIDE_MS = 520;

export function JoinRoomScreen(props: JoinRoomScreenProps) {
  const { kind, connection } = props;
  const model = useJoinModel(connection, kind);
  return model === null ? null : <JoinRoom {...props} model={model} />;
}

function JoinRoom({
  kind,
  self,
  initialCode = '',
  asksAtOnce = false,
  model,
}: JoinRoomScreenProps & { model: JoinModel }) {
  const facts = factsOf(kind);
  const [code, setCode] = useState(() => initialCode.toUpperCase().slice(0, limits.roomCodeInputLength));
  const status = useReadable(model.status);
  useMessages(status, model, kind);
  useEntrance(status, kind);
  const askAtOnce = useEffectEvent(() => {
    if (asksAtOnce && code !== '') void model.ask(code, true);
  });
  useEffect(() => askAtOnce(), []);

  const isWaiting = status.status === 'waiting';
  return (
    <AppFrame band={facts.ink} title={facts.bandTitle}>
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
            <Form onSubmit={() => void model.ask(code)}>
              <CodeField
                label="Room code"
                placeholder="ROOM123"
                value={code}
                maxLength={limits.roomCodeInputLength}
                onChange={setCode}
              />
              <ButtonGroup>
                <Button type="submit" variant="primary" block busy={status.status === 'asking'}>
                  Join Session
                </Button>
                <ButtonLink href={facts.createPath} block>
                  Create New Room
                </ButtonLink>
                <ButtonLink href="/" variant="ghost" block>
                  Back to Home
                </ButtonLink>
              </ButtonGroup>
            </Form>
          </>
        )}
      </TaskPage>
    </AppFrame>
  );
}

function Waiting() {
  return (
    <>
      <output className={styles.waiting}>
        <h1>{roomSentences.waitingTitle}</h1>
        <span className={styles.hint}>
          <Spindle />
          {roomSentences.waitingHint}
        </span>
      </output>
      <div className={styles.back}>
        <ButtonLink href="/" variant="ghost">
          Back to Home
        </ButtonLink>
      </div>
    </>
  );
}

function useMessages(status: JoinStatus, model: JoinModel, kind: RoomKind): void {
  const modals = useModals();
  const message = status.status === 'idle' ? status.message : null;
  const say = useEffectEvent(async (said: NonNullable<typeof message>) => {
    await modals.ok(said.message, { text: said.text, band: factsOf(kind).ink });
    model.acknowledge();
  });
  useEffect(() => {
    if (message !== null) void say(message);
  }, [message]);
}

/** The disc that waited slides in, then the room appears. Whoever did not have to wait goes straight in. */
function useEntrance(status: JoinStatus, kind: RoomKind): void {
  const [, navigate] = useLocation();
  const hasWaited = useRef(false);
  const code = status.status === 'admitted' ? status.code : null;
  useEffect(() => {
    if (status.status === 'waiting') hasWaited.current = true;
  }, [status.status]);
  useEffect(() => {
    if (code === null) return undefined;
    const slides = hasWaited.current && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    const timer = setTimeout(() => navigate(factsOf(kind).roomPath(code), { replace: true }), slides ? SLIDE_MS : 0);
    return () => clearTimeout(timer);
  }, [code, kind, navigate]);
}
