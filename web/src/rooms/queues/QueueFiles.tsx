/** Saved queues as files: the key that reads one of another player, with what became of it, and the key that saves one. */
import type { QueueFromFile, RoomDocument, SavedQueue } from '@tunemate/protocol';
import { useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { useBusy } from '../../store/use-busy.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { type Instead, sentenceOf } from '../../words/errors.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { fetchQueueFile, pickedFiles, sendQueueFile } from './queue-file.ts';
import { queueWords, savedWords } from './queue-words.ts';
import { t } from '../../language/t.ts';

interface ReadFileProps {
  room: Pick<RoomDocument, 'kind' | 'name'>;
  onSaved: () => void;
}

export function ReadFile({ room: { kind, name }, onSaved }: ReadFileProps) {
  const { fetch } = useApp();
  const { isBusy, run } = useBusy();
  const picker = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const read = async (file: File): Promise<void> => {
    setSaid('');
    const answer = await sendQueueFile(fetch, file, kind, name);
    if (!answer.ok) return setSaid(sentenceOf(answer.error, instead));
    setSaid([fileOutcome(answer.value), notHere(answer.value.missing)].filter(Boolean).join(' '));
    if (answer.value.outcome === 'saved') onSaved();
  };
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        accept={pickedFiles}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) run(() => read(file));
          // The same file may be picked again.
          currentTarget.value = '';
        }}
      />
      <ButtonGroup inline>
        <Button small busy={isBusy} onClick={() => picker.current?.click()}>
          {t`Add a playlist file`}
        </Button>
      </ButtonGroup>
      <output dir="auto">{said}</output>
    </>
  );
}

const instead: Instead = {
  'input/too-large': t`This file is larger than 200 kB.`,
  'input/unsupported': t`Choose a playlist in the format M3U (.m3u8 or .m3u).`,
};

/** What a file became. */
function fileOutcome({ outcome, found, missing, name }: QueueFromFile & { name: string }): string {
  const total = found + missing.length;
  if (outcome === 'saved') return t`${found} of ${total} tracks are here, and saved as ${name}.`;
  if (outcome === 'too-many') return t`This file has more than 500 tracks.`;
  if (outcome === 'full') return savedWords.full;
  return total === 0 ? t`This file names no track.` : t`None of the tracks of this file are here.`;
}

const mostNamed = 20;

/** Names what is missing, as far as that can be read. */
function notHere(missing: readonly string[]): string {
  const names = missing.slice(0, mostNamed).join(', ');
  const more = missing.length - mostNamed;
  if (more > 0) return t`Not here: ${names} and ${more} more.`;
  return missing.length === 0 ? '' : t`Not here: ${names}.`;
}

export function SaveAsFile({ queue: { queueId, name } }: { queue: SavedQueue }) {
  const { fetch } = useApp();
  const answerOf = useAnswerOf({ failed: queueWords.failed });
  const { isBusy, run } = useBusy();
  const save = async (): Promise<void> => {
    const file = await answerOf(fetchQueueFile(fetch, queueId));
    if (file) saveFile(`${name}.m3u8`, file);
  };
  return (
    <Button small busy={isBusy} onClick={() => run(save)}>
      {t`Save as a file`}
    </Button>
  );
}
