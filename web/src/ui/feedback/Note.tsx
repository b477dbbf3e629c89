/** A boxed sentence inside a page: what failed, or what went well. */
import { AlertIcon, CheckIcon } from '../icons/icons.tsx';
import { classNames } from '../class-names.ts';
import styles from './Note.module.css';

/** `bad` is announced at once, `good` politely. */
export function Note({ tone, children }: { tone: 'good' | 'bad'; children: string }) {
  return (
    <p className={classNames(styles.note, styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      {tone === 'bad' ? <AlertIcon size={18} /> : <CheckIcon size={18} />}
      {children}
    </p>
  );
}
