/**
 * The print of an evening: the tiles of the room's code, who was there, and the tracks as a back cover. It is drawn on the
 * page, to keep as a picture, to share, or to send to one of those who were there.
 */
import type { EndedRoom, Track } from '@tunemate/protocol';
import { type ComponentProps, useEffect, useMemo, useState } from 'react';
import { useApp, useUser } from '../../app-context.ts';
import { conversationWords } from '../../chats/conversation-words.ts';
import { locale, t } from '../../language/t.ts';
import { asking } from '../../store/asking.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { LoadingScreen } from '../../ui/feedback/LoadingScreen.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { ShareIcon } from '../../ui/icons/door-icons.tsx';
import { PictureIcon } from '../../ui/icons/page-icons.tsx';
import { bandOf, canShareFiles, type Card, cardFile, CardPicture } from '../../ui/records/card-picture.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { titleLines } from '../../ui/title-lines.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { factsOf } from '../room-kinds.ts';

interface PrintProps {
  room: EndedRoom;
  onClose: () => void;
}

export function Print({ room, onClose }: PrintProps) {
  const { connection, chats: chatsCell } = useApp();
  const self = useUser();
  const chats = useReadable(chatsCell);
  const toast = useToast();
  const answerOf = useAnswerOf();
  const { roomId } = room;
  const [tracks, setTracks] = useState<readonly Track[] | null>(null);
  useEffect(
    () =>
      asking(
        (signal) => connection.requestUntilAnswered('rooms/history', { roomId }, { signal }),
        (answer) => setTracks(answer.ok ? answer.value.tracks.toReversed() : []),
      ),
    [connection, roomId],
  );
  const card = useMemo(
    () => tracks && printOf(room, [{ uid: self.uid, name: self.name }, ...room.people], tracks),
    [room, self, tracks],
  );
  if (card === null) {
    return (
      <Sheet title={printWords.title} onClose={onClose}>
        <LoadingScreen fill={false} />
      </Sheet>
    );
  }
  return (
    <Sheet title={printWords.title} onClose={onClose}>
      <CardPicture card={card} />
      <ButtonGroup>
        <FileKey variant="primary" icon={<PictureIcon />} card={card} onFile={(file) => saveFile(file.name, file)}>
          {t`Keep as a picture`}
        </FileKey>
        {canShareFiles() && (
          <FileKey
            icon={<ShareIcon />}
            card={card}
            // The user may close the sheet of the device.
            onFile={(file) => navigator.share({ files: [file], text: card.alt }).catch(() => undefined)}
          >
            {t`Share`}
          </FileKey>
        )}
        {chats &&
          room.people.slice(0, mostNamed).map(({ uid, name }) => (
            <FileKey
              key={uid}
              card={card}
              onFile={async (file) => {
                const failed = conversationWords.photoFailed(name);
                if (await answerOf(chats.sendImage(uid, file), { failed })) toast(t`Sent to ${name}`);
              }}
            >
              {t`Send to ${name}`}
            </FileKey>
          ))}
      </ButtonGroup>
    </Sheet>
  );
}

interface FileKeyProps extends Pick<ComponentProps<typeof Button>, 'variant' | 'icon' | 'children'> {
  card: Card;
  onFile: (file: File) => unknown;
}

/** A key that does something with the picture. Each is busy alone: none takes the press of another one. */
function FileKey({ card, onFile, ...look }: FileKeyProps) {
  const { isBusy, run } = useBusy();
  const use = async (): Promise<void> => {
    const file = await cardFile(card);
    if (file) await onFile(file);
  };
  return <Button {...look} busy={isBusy} onClick={() => run(use)} />;
}

const mostNamed = 8;
const mostTracks = 7;

function printOf(room: EndedRoom, people: readonly { uid: string; name: string }[], tracks: readonly Track[]): Card {
  const { code, kind, name, endedAt } = room;
  const band = bandOf(factsOf(kind).ink);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(endedAt);
  const names = tracks.map(({ videoId, title }) => {
    const { name: track, artist } = titleLines(videoId, title);
    return artist === null ? track : `${track}, ${artist}`;
  });
  const there = printWords.there(new Intl.ListFormat(locale).format(people.map((one) => one.name)));
  const played = names.length === 0 ? '' : ` ${printWords.played(names.slice(0, mostTracks).join('; '))}`;
  return {
    id: `evening-${code}`,
    alt: `${name}, ${day}. ${there}${played}`,
    draw: (pen) => {
      pen.fill(pen.paper);
      pen.tiles(code, { y: 0, columns: 6, count: 6 }, band);
      pen.fill(band, 180, 330);
      pen.text(name, 400, { size: 92, isWide: true, lines: 2 });
      pen.text(day, 476, { size: 40 });
      pen.text(code, 476, { size: 40, isAtEnd: true });
      pen.people(people.slice(0, mostNamed), 590, 44);
      names.slice(0, mostTracks).forEach((track, index) => pen.text(track, 716 + index * 46, { size: 34 }));
      pen.text(names.length > mostTracks ? printWords.more(names.length - mostTracks) : 'Tunemate', 1044, { size: 30 });
    },
  };
}

const printWords = {
  title: t`The print of this evening`,
  there: (people: string) => t`There were ${people}.`,
  played: (tracks: string) => t`It played ${tracks}.`,
  more: (tracks: number) => t`and ${String(tracks)} more`,
} as const;
