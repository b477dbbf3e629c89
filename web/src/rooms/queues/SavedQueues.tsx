/** The sheet of saved queues: saves what this room has, and loads, shares, renames and deletes what was saved. */
import {
  limits,
  type NamedTrack,
  type Payload,
  type Result,
  type RoomDocument,
  type SavedQueue,
  type Tunemate,
} from '@tunemate/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { addedToQueue } from '../../catalogue/adding-words.ts';
import { asking } from '../../store/asking.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { Form } from '../../ui/fields/Form.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { List } from '../../ui/lists/List.tsx';
import { twoLines } from '../../ui/two-lines.ts';
import { Row } from '../../ui/lists/Row.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { tileCode } from '../../ui/records/tile-code.ts';
import { sentenceOf } from '../../words/errors.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { Again } from '../history/PlayedList.tsx';
import { ReadFile, SaveAsFile } from './QueueFiles.tsx';
import { queueSaving } from './queue-saving.ts';
import { queueWords, savedWords } from './queue-words.ts';
import { t } from '../../language/t.ts';

interface SavedQueuesProps {
  room: Pick<RoomDocument, 'kind' | 'code' | 'name'>;
  /** What 'Save' saves. */
  of: Payload<'queues/save'>['of'];
  /** A host loads a queue, a guest proposes tracks of it. */
  use: Pick<TrackUse, 'onEnqueueAll' | 'onPropose' | 'everyoneAdds'>;
  onClose: () => void;
}

export function SavedQueues({ room, of, use, onClose }: SavedQueuesProps) {
  const { kind } = room;
  const { onEnqueueAll, onPropose, everyoneAdds } = use;
  const [openId, setOpenId] = useState<string | null>(null);
  const [proposedId, setProposedId] = useState<string | null>(null);
  const { queues, refresh, done } = useSavedQueues();
  const ofKind = queues?.filter((queue) => queue.kind === kind);
  return (
    <Sheet title={queueWords.title} onClose={onClose}>
      <SaveForm room={room} of={of} onSaved={refresh} />
      {ofKind?.length === 0 && <p>{queueWords.none}</p>}
      <List label={queueWords.title}>
        {ofKind?.map((queue) => (
          <li key={queue.queueId}>
            <Row
              lead={<Sleeve code={tileCode(queue.queueId)} size="44px" />}
              title={<span style={nameStyle}>{queue.name}</span>}
              detail={queueDetail(queue)}
              trail={
                <>
                  {onEnqueueAll && <Load queue={queue} onEnqueueAll={onEnqueueAll} />}
                  {onPropose && (
                    <Button
                      small
                      aria-label={t`Tracks of ${queue.name}`}
                      aria-expanded={proposedId === queue.queueId}
                      onClick={() => setProposedId(proposedId === queue.queueId ? null : queue.queueId)}
                    >
                      {t`Tracks`}
                    </Button>
                  )}
                  <Button
                    small
                    variant="ghost"
                    aria-label={(queue.owner === null ? queueWords.editOf : queueWords.moreOf)(queue.name)}
                    aria-expanded={openId === queue.queueId}
                    onClick={() => setOpenId(openId === queue.queueId ? null : queue.queueId)}
                  >
                    {queue.owner === null ? t`Edit` : t`More`}
                  </Button>
                </>
              }
            />
            {onPropose && proposedId === queue.queueId && <ProposeFrom {...{ queue, onPropose, everyoneAdds }} />}
            {openId === queue.queueId &&
              (queue.owner === null ? <Own queue={queue} done={done} /> : <Shared queue={queue} done={done} />)}
          </li>
        ))}
      </List>
      {onEnqueueAll && <p className="meta">{queueWords.loadHint}</p>}
      {onPropose && <p className="meta">{t`The host can load saved queues into this room.`}</p>}
      <ReadFile room={room} onSaved={refresh} />
    </Sheet>
  );
}

function queueDetail({ tracks, owner, sharedWith }: SavedQueue): string {
  const sharer = owner?.name;
  const names = sharedWith.map(({ name }) => name).join(', ');
  const count = tracks === 1 ? t`1 track` : t`${tracks} tracks`;
  const shared = sharer === undefined ? names !== '' && t`shared with ${names}` : t`shared by ${sharer}`;
  return [count, shared].filter(Boolean).join(' · ');
}

const saying = { failed: queueWords.failed };

type Done = (asked: Promise<Result<unknown>>) => Promise<void>;

function useSavedQueues() {
  const { connection } = useApp();
  const answerOf = useAnswerOf(saying);
  const [queues, setQueues] = useState<readonly SavedQueue[] | null>(null);
  const stopAsking = useRef((): void => undefined);
  const refresh = useCallback((): void => {
    stopAsking.current();
    stopAsking.current = asking(
      (signal) => connection.requestUntilAnswered('queues/list', {}, { signal }),
      (answer) => {
        if (answer.ok) setQueues(answer.value.queues);
      },
    );
  }, [connection]);
  useEffect(() => {
    refresh();
    return () => stopAsking.current();
  }, [refresh]);
  /** Shows a refusal, and what is saved now. */
  const done: Done = async (asked) => {
    await answerOf(asked);
    refresh();
  };
  return { queues, refresh, done };
}

function SaveForm({ room, of, onSaved }: Pick<SavedQueuesProps, 'room' | 'of'> & { onSaved: () => void }) {
  const { connection } = useApp();
  const toast = useToast();
  const { isBusy, run } = useBusy();
  const [name, setName] = useState(room.name);
  const [problem, setProblem] = useState<string | undefined>();
  const [saving] = useState(() => queueSaving(connection));
  const save = async (): Promise<void> => {
    const { kind, code } = room;
    const answer = await saving({ kind, code, name, of });
    if (!answer.ok) return setProblem(sentenceOf(answer.error));
    if (answer.value.outcome !== 'saved') return setProblem(savedWords[answer.value.outcome]);
    setProblem(undefined);
    toast(savedWords.saved);
    onSaved();
  };
  return (
    <Form label={queueWords.save} onSubmit={() => run(save)}>
      <div style={fieldAndKey}>
        <TextField
          label={queueWords.name}
          maxLength={limits.queueNameLength}
          required
          value={name}
          error={problem}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" variant="primary" busy={isBusy} style={besideField}>
          {queueWords.save}
        </Button>
      </div>
    </Form>
  );
}

const nameStyle = { ...twoLines, lineHeight: 1.25 } as const;
const fieldAndKey = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', gap: '8px' } as const;
/** As high as the field, below its label. */
const besideField = { minHeight: '52px', marginTop: '29px', alignSelf: 'start' } as const;

interface LoadProps {
  queue: SavedQueue;
  onEnqueueAll: (tracks: readonly NamedTrack[]) => Promise<number>;
}

function Load({ queue: { queueId, name, tracks: total }, onEnqueueAll }: LoadProps) {
  const { connection } = useApp();
  const answerOf = useAnswerOf(saying);
  const toast = useToast();
  const { isBusy, run } = useBusy();
  const load = async (): Promise<void> => {
    const answer = await answerOf(connection.request('queues/read', { queueId }));
    if (answer === null) return;
    const { tracks, gone } = answer;
    if (tracks.length === 0) return toast(t`None of its tracks are here now.`);
    const added = await onEnqueueAll(tracks);
    toast(addedToQueue(added, tracks.length - added));
    if (gone > 0) toast(goneWords(gone, total));
  };
  return (
    <Button small busy={isBusy} aria-label={t`Load ${name}`} onClick={() => run(load)}>
      {t`Load`}
    </Button>
  );
}

/** What a tunemate does with whom it is shared. */
function Shared({ queue, done }: { queue: SavedQueue; done: Done }) {
  const { queueId, name } = queue;
  const { connection } = useApp();
  const modals = useModals();
  const { isBusy, run } = useBusy();
  const remove = async (): Promise<void> => {
    const isSure = await modals.confirm({
      question: t`Take ${name} off your list?`,
      consequence: t`From your list only. Its owner can share it again.`,
      action: queueWords.remove,
      danger: true,
    });
    if (isSure) await done(connection.request('queues/delete', { queueId }));
  };
  return (
    <ButtonGroup inline>
      <SaveAsFile queue={queue} />
      <Button variant="danger" small busy={isBusy} onClick={() => run(remove)}>
        {queueWords.remove}
      </Button>
    </ButtonGroup>
  );
}

/** What an owner does: another name, with whom it is shared, deletion. */
function Own({ queue, done }: { queue: SavedQueue; done: Done }) {
  const { queueId, sharedWith } = queue;
  const { connection, tunemates } = useApp();
  const modals = useModals();
  // Each key is busy alone: none takes the press of another one.
  const renaming = useBusy();
  const deleting = useBusy();
  const [name, setName] = useState(queue.name);
  const mates = useReadable<readonly Tunemate[] | null>(tunemates.tunemates) ?? [];
  const remove = async (): Promise<void> => {
    const isSure = await modals.confirm({
      question: t`Delete ${queue.name}?`,
      ...(sharedWith.length > 0 && { consequence: t`Tunemates you share it with lose it too.` }),
      action: queueWords.delete,
      danger: true,
    });
    if (isSure) await done(connection.request('queues/delete', { queueId }));
  };
  return (
    <>
      <ButtonGroup inline>
        <SaveAsFile queue={queue} />
        {mates.map((mate) => (
          <ShareWith key={mate.uid} {...{ queue, mate, done }} />
        ))}
      </ButtonGroup>
      <Form
        label={queueWords.rename}
        onSubmit={() => renaming.run(() => done(connection.request('queues/rename', { queueId, name })))}
      >
        <TextField
          label={queueWords.name}
          maxLength={limits.queueNameLength}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ButtonGroup inline>
          <Button type="submit" small busy={renaming.isBusy}>
            {queueWords.rename}
          </Button>
          <Button variant="danger" small busy={deleting.isBusy} onClick={() => deleting.run(remove)}>
            {queueWords.delete}
          </Button>
        </ButtonGroup>
      </Form>
    </>
  );
}

function ShareWith({ queue, mate: { uid, name }, done }: { queue: SavedQueue; mate: Tunemate; done: Done }) {
  const { queueId, sharedWith } = queue;
  const { connection } = useApp();
  const { isBusy, run } = useBusy();
  const isOn = !sharedWith.some((person) => person.uid === uid);
  const share = () => done(connection.request('queues/share', { queueId, uid, isOn }));
  return (
    <Button small busy={isBusy} onClick={() => run(share)}>
      {isOn ? queueWords.shareWith(name) : queueWords.stopSharing(name)}
    </Button>
  );
}

interface ProposeFromProps extends Pick<TrackUse, 'everyoneAdds'> {
  queue: SavedQueue;
  onPropose: (track: NamedTrack) => Promise<boolean>;
}

/** The tracks of a saved queue, for a guest to propose one, or to add it where all may add. */
function ProposeFrom({ queue: { queueId, name, tracks: total }, onPropose, everyoneAdds }: ProposeFromProps) {
  const { connection } = useApp();
  const [tracks, setTracks] = useState<readonly NamedTrack[]>([]);
  const [said, setSaid] = useState('');
  useEffect(() => {
    return asking(
      (signal) => connection.requestUntilAnswered('queues/read', { queueId }, { signal }),
      (answer) => {
        if (!answer.ok) return setSaid(sentenceOf(answer.error));
        setTracks(answer.value.tracks);
        if (answer.value.gone > 0) setSaid(goneWords(answer.value.gone, total));
      },
    );
  }, [connection, queueId, total]);
  const label = (title: string) => (everyoneAdds ? queueWords.addFrom : queueWords.proposeFrom)(title, name);
  return (
    <>
      <List label={name}>
        {tracks.map((track, at) => (
          // A queue may hold a track twice.
          <li key={`${track.videoId} ${String(at)}`}>
            <Row title={track.title} trail={<Again label={label} add={onPropose} track={track} />} />
          </li>
        ))}
      </List>
      {said && <p className="meta">{said}</p>}
    </>
  );
}

const goneWords = (gone: number, total: number): string => t`${gone} of ${total} are not here now`;
