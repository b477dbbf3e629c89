/** Apart from the other icons, so that it is loaded with the first track that has words. */
import { MicVocal } from 'lucide-react';
import { line } from './icons.tsx';

export const LyricsIcon = /* @__PURE__ */ line(MicVocal);
