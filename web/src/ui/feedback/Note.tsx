/** A boxed sentence inside a page: what failed, or what went well. */
import { AlertIcon, CheckIcon } from '../icons/icons.tsx';
import { classNames } from '../class-names.ts';
import styles from './Note.module.css';
import type { Elements } from '../OwnText.tsx';

/** `bad` is announced at once, the others politely; a `quiet` one brings its own icon. */
type NoteProps = { children: string } & ({ tone: 'good' | 'bad' } | { tone: 'quiet'; icon: Elements });

export function Note(props: NoteProps) {
  const { tone, children } = props;
  return (
    <p className={classNames(styles.note, styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      {tone === 'quiet' ? props.icon : tone === 'bad' ? <AlertIcon size={18} /> : <CheckIcon size={18} />}
      <span>{children}</span>
    </p>
  );
}
