/** Icons of the sheet about one person. Apart from the others, so that pages without it don't load them. */
import { Ban, Heart } from 'lucide-react';
import { line } from './icons.tsx';

export const BlockIcon = /* @__PURE__ */ line(Ban);
export const HeartIcon = /* @__PURE__ */ line(Heart);
