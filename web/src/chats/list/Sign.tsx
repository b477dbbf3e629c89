/** A small sign of what a person made of a chat, such as muted, with its word for screen readers. */
import type { ReactElement } from 'react';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';

export function Sign({ icon, words }: { icon: ReactElement; words: string }) {
  return (
    <span className="meta" title={words}>
      {icon}
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  );
}
