/** Icons of films and of full screen. Apart from the others, so that they are loaded when they are needed. */
import { Captions, Minimize } from 'lucide-react';
import { line } from './icons.tsx';

export const ExitFullScreenIcon = /* @__PURE__ */ line(Minimize);
export const SubtitlesIcon = /* @__PURE__ */ line(Captions);
