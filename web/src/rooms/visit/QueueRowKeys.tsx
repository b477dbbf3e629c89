/** What a host does with a row of the queue: plays it next or removes it, and while it is edited drags or moves it. */
import type { QueuedTrack } from '@tunemate/protocol';
import { GripVertical } from 'lucide-react';
import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { t } from '../../language/t.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { PlayNextIcon } from '../../ui/icons/film-icons.tsx';
import { CloseIcon, line } from '../../ui/icons/icons.tsx';
import { ChevronDownIcon, ChevronUpIcon } from '../../ui/icons/inside-icons.tsx';
import { regainFocus } from '../../ui/lost-focus.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import type { PlaybackModel } from '../../playback/playback-model.ts';

const GripIcon = line(GripVertical);

/** `index` is the row’s new index, or that of the row that replaces it. */
export interface Edit {
  title: string;
  index: number;
  isRemoval: boolean;
}

interface QueueRowKeysProps {
  className: string | undefined;
  model: PlaybackModel;
  index: number;
  title: string;
  queue: { readonly length: number };
  currentIndex: number;
  /** Else it has no keys to move it. */
  isEditing: boolean;
  onEdit: (edit: Edit) => void;
}

export function QueueRowKeys(props: QueueRowKeysProps) {
  const { className, model, index, title, currentIndex, isEditing, onEdit } = props;
  return (
    <span className={className}>
      {isEditing && <MovingKeys {...props} />}
      <IconButton
        label={t`Play ${title} next`}
        icon={<PlayNextIcon />}
        disabled={index === currentIndex || index === currentIndex + 1}
        onClick={() => {
          onEdit({ title, index: currentIndex + (index > currentIndex ? 1 : 0), isRemoval: false });
          model.host.playNext(index);
        }}
      />
      <IconButton
        label={t`Remove ${title}`}
        icon={<CloseIcon />}
        onClick={() => {
          onEdit({ title, index, isRemoval: true });
          model.host.remove(index);
        }}
      />
    </span>
  );
}

function MovingKeys({ model, index, title, queue, onEdit }: QueueRowKeysProps) {
  const moveTo = (to: number, from = index): void => {
    onEdit({ title, index: to, isRemoval: false });
    model.host.move(from, to);
  };
  return (
    <>
      {/* For pointers alone: the keys beside it do the same. */}
      <span
        data-grip
        aria-hidden="true"
        style={{ alignSelf: 'center', padding: 12, cursor: 'grab', touchAction: 'none' }}
        onPointerDown={(event) => dragRow(event, (from, to) => moveTo(to, from))}
      >
        <GripIcon />
      </span>
      <IconButton
        label={t`Move ${title} up`}
        icon={<ChevronUpIcon />}
        disabled={index === 0}
        onClick={() => moveTo(index - 1)}
      />
      <IconButton
        label={t`Move ${title} down`}
        icon={<ChevronDownIcon />}
        disabled={index === queue.length - 1}
        onClick={() => moveTo(index + 1)}
      />
    </>
  );
}

interface AfterEditProps {
  made: Edit | null;
  queue: readonly Pick<QueuedTrack, 'title'>[];
  list: RefObject<HTMLElement | null>;
}

/**
 * Moves the focus to another button of the row when the pressed one is removed or disabled, and says where the row went
 * once it is there, for people who don't see it move.
 */
export function AfterEdit({ made, queue, list }: AfterEditProps) {
  const followed = useRef<Edit | null>(null);
  const follow = useEffectEvent((now: AfterEditProps['queue']) => {
    if (made === null || made === followed.current) return;
    followed.current = made;
    const row = list.current?.children[Math.min(made.index, now.length - 1)];
    const buttons = [...(row?.querySelectorAll<HTMLElement>('button:enabled') ?? [])];
    regainFocus(buttons.at(made.isRemoval ? -1 : 0));
  });
  useEffect(() => follow(queue), [queue]);
  const isThere = made && !made.isRemoval && queue[made.index]?.title === made.title;
  const words = isThere && placeOf(made.title, made.index + 1, queue.length);
  return (
    <VisuallyHidden>
      <output>{words}</output>
    </VisuallyHidden>
  );
}

const placeOf = (title: string, place: number, all: number): string =>
  t`${title}: place ${String(place)} of ${String(all)}`;

/**
 * Lets the row of this grip follow the pointer, while the others make room for it. Places are read from the list as it
 * is at each moment: the queue may change meanwhile.
 */
function dragRow(event: PointerEvent<HTMLElement>, onDrop: (from: number, to: number) => void): void {
  const grip: HTMLElement = event.currentTarget;
  const row = grip.closest('li');
  const list = row?.parentElement;
  if (!row || !list || event.button !== 0) return;
  event.preventDefault();
  grip.setPointerCapture(event.pointerId);
  const rows = () => Array.from(list.children) as HTMLElement[];
  const topOf = (each: HTMLElement) => each.offsetTop - (each.offsetParent === list ? 0 : list.offsetTop);
  const inList = (y: number) => y - list.getBoundingClientRect().top;
  const grabbedAt = inList(event.clientY) - topOf(row);
  const ending = new AbortController();
  const { signal } = ending;
  let pointerY = event.clientY;

  /** The row that lies under the pointer when none has made room. */
  const placeNow = (): number => {
    const above = rows().filter((each) => topOf(each) + each.offsetHeight <= inList(pointerY)).length;
    return Math.min(above, rows().length - 1);
  };

  const follow = (): void => {
    const [from, to] = [rows().indexOf(row), placeNow()];
    for (const [index, each] of rows().entries()) {
      const makesRoom = index > from && index <= to ? -1 : index < from && index >= to ? 1 : 0;
      each.style.translate = each === row ? '' : `0 ${String(makesRoom * row.offsetHeight)}px`;
    }
    row.style.translate = `0 ${String(inList(pointerY) - grabbedAt - topOf(row))}px`;
    grip.scrollIntoView({ block: 'nearest' });
  };

  function end(): void {
    ending.abort();
    for (const each of rows()) each.style.translate = '';
  }

  // A second finger neither drags the row nor drops it.
  const on = (
    target: EventTarget,
    type: 'pointermove' | 'pointerup' | 'lostpointercapture',
    act: (clientY: number) => void,
  ): void => {
    const listen = (each: Event): void => {
      const { pointerId, clientY } = each as globalThis.PointerEvent;
      if (pointerId === event.pointerId) act(clientY);
    };
    target.addEventListener(type, listen, { signal });
  };
  on(grip, 'pointermove', (clientY) => {
    pointerY = clientY;
    follow();
  });
  on(grip, 'pointerup', () => {
    const [from, to] = [rows().indexOf(row), placeNow()];
    end();
    if (from >= 0 && from !== to) onDrop(from, to);
  });
  // A grip that is taken out of the page hears no more: then the document does.
  on(window, 'lostpointercapture', end);
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
}
