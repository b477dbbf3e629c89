/** Icons of the ways into a room. Apart from the others, so that pages without a room don't load them. */
import { Clock3 } from 'lucide-react';
import { line } from './icons.tsx';

export const ClockIcon = /* @__PURE__ */ line(Clock3);
