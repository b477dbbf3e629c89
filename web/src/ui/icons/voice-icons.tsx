/** Icons of recording a voice message. Apart from the others, so that pages without it don't load them. */
import { Lock, Square } from 'lucide-react';
import { line, type IconProps } from './icons.tsx';

export const LockIcon = /* @__PURE__ */ line(Lock);

export function StopIcon({ size = 20 }: IconProps) {
  return <Square size={size} fill="currentColor" aria-hidden="true" />;
}
